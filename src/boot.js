// Loads the app, and says so when that takes long or fails. The app's files are
// named by a hash, so their addresses come from the page's preload links.
// Should the app stop by a fault, it is this script that is left to say that.
(function () {
  'use strict';
  var boot = document.getElementById('boot');
  var loading = document.getElementById('boot-loading');
  var failed = document.getElementById('boot-failed');
  var reason = document.getElementById('boot-reason');

  function address(rel) {
    return document.querySelector('link[rel="' + rel + '"][href]').href;
  }

  // A framed app has the host's colours before it starts; the app itself reads all options.
  var theme = /[?&#]theme=(light|dark)/.exec(location.search + location.hash);
  if (theme && /[?&#]embed\b/.test(location.search + location.hash)) {
    document.documentElement.dataset.theme = theme[1];
  }

  // What the app will ask for first is on its way with it: its lesson, if the list of lessons
  // that the page has for readers without scripts names it, or what the home page shows.
  function preload(name) {
    // A page that was opened from a file has everything in it.
    if (location.protocol === 'file:') return;
    if (name !== 'home' && boot.textContent.indexOf('lessons/' + name + '.html') < 0) return;
    var early = document.createElement('link');
    early.rel = 'preload';
    early.as = 'fetch';
    early.crossOrigin = '';
    early.href = 'lessons/' + name + '.bin';
    document.head.appendChild(early);
  }
  var asked = /^#\/lesson\/([a-z0-9-]+)|[?&]lesson=([a-z0-9-]+)/.exec(location.hash + location.search);
  if (asked) preload(asked[1] || asked[2]);
  else if (document.querySelector('meta[name=engine]') && /^(#\/)?$/.test(location.hash) && !theme && !location.search) preload('home');

  // While the app is on its way there is time to find the fonts that it will write with: each family,
  // size and weight is one of its own, and the first page needs most of them at once. One a task, so
  // that none is long.
  function findFonts() {
    var fonts = ['560 f3 sans', '640 f6 sans', '640 f1 mono', '400 f2 mono'];
    ['f1', 'f2', 'f3', 'f4'].forEach(function (size) {
      fonts.push('400 ' + size + ' sans', '640 ' + size + ' sans');
    });
    setTimeout(function () {
      var style = getComputedStyle(document.documentElement);
      var pen = document.createElement('canvas').getContext('2d');
      setTimeout(function next() {
        var font = fonts.pop().split(' ');
        pen.font = font[0] + ' ' + style.getPropertyValue('--' + font[1]) + ' ' + style.getPropertyValue('--' + font[2]);
        pen.measureText('Aa0 “’→×·');
        if (fonts.length) setTimeout(next);
      });
    });
  }

  // A fast start shows nothing at all.
  var slow = setTimeout(function () {
    loading.hidden = false;
  }, 300);

  function fail(text, code) {
    // The host page of an embed shows its own fallback.
    if (parent !== self) {
      parent.postMessage({ source: 'fencing-lab', v: 1, id: '', type: 'error', code: code, message: text }, '*');
    }
    clearTimeout(slow);
    loading.hidden = true;
    reason.textContent = text;
    failed.hidden = false;
  }

  function onClick(id, act) {
    document.getElementById(id).addEventListener('click', act);
  }

  function reload() {
    location.reload();
  }

  // A new load is the only sure retry: browsers remember that a module failed.
  onClick('boot-retry', reload);

  if (typeof WebAssembly !== 'object') {
    fail('This browser has no WebAssembly, or it is switched off.', 'wasm-unsupported');
    return;
  }

  // A fault of the app is a trap of its code, without a message. What is on the
  // page then no longer answers, but the text of the run is worth keeping.
  addEventListener('error', function (event) {
    stopIfTrap(event.error);
  });
  addEventListener('unhandledrejection', function (event) {
    stopIfTrap(event.reason);
  });

  function stopIfTrap(error) {
    var template = document.getElementById('fault-template');
    if (!(error instanceof WebAssembly.RuntimeError) || !template) return;
    document.body.prepend(template.content);
    template.remove(); // A stopped app may trap again and again.
    showText(globalThis.fencingLabText);
    onClick('fault-again', reload);
    scrollTo(0, 0);
  }

  // The app keeps the text up to date, from when it has one.
  function showText(text) {
    var area = document.getElementById('fault-text');
    area.value = text || '';
    ['fault-kept', 'fault-text', 'fault-copy'].forEach(function (id) {
      document.getElementById(id).hidden = !text;
    });
    onClick('fault-copy', function () {
      // What is selected can be copied by the keyboard, should the browser refuse.
      area.select();
      if (navigator.clipboard) navigator.clipboard.writeText(area.value).catch(function () {});
    });
  }

  // Once the app runs, so that it need not share the network. Frames are their hosts' business,
  // and only a build with a manifest has a worker.
  function workOffline() {
    if (parent === self && navigator.serviceWorker && document.querySelector('link[rel=manifest]')) {
      navigator.serviceWorker.register('sw.js').catch(function () {});
    }
  }

  findFonts();
  import(address('modulepreload'))
    .then(function (app) {
      return app.default({ module_or_path: address('preload') });
    })
    .then(
      function () {
        clearTimeout(slow);
        boot.remove();
        workOffline();
      },
      function (error) {
        console.error(error);
        fail('A part of it could not be loaded, or did not start.', 'boot');
      },
    );
})();
