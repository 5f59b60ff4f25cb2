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
  var options = location.search + location.hash;
  var theme = /[?&#]theme=(light|dark)/.exec(options);
  if (theme && /[?&#]embed\b/.test(options)) document.documentElement.dataset.theme = theme[1];

  // A fast start shows nothing at all.
  var slow = setTimeout(function () {
    loading.hidden = false;
  }, 500);

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

  // What the app will show first, by the name of its files: a lesson that the page knows (it lists all for
  // readers without scripts), or `home`. None: something else.
  function first() {
    var named = /^#\/lesson\/([a-z0-9-]+)|[?&]lesson=([a-z0-9-]+)/.exec(location.hash + location.search);
    if (named) {
      var slug = named[1] || named[2];
      return boot.textContent.indexOf('lessons/' + slug + '.html') < 0 ? '' : slug;
    }
    var isApp = document.querySelector('meta[name=engine]');
    return isApp && !location.search && /^(#\/)?$/.test(location.hash) ? document.documentElement.dataset.lesson || 'home' : '';
  }

  // A page that was opened from a file has everything in it.
  var name = location.protocol === 'file:' ? '' : first();
  var app = document.getElementById('app');
  if (name) {
    // Its text is there before the app can be: it is shown, but does not answer, until the app takes over.
    if (app && !boot.className && !location.search && /^(#\/(lesson\/[^/?]+(\/1)?)?)?$/.test(location.hash)) {
      fetch('lessons/' + name + '.early.txt')
        .then(function (response) {
          return response.ok ? response.text() : '';
        })
        .then(showEarly, function () {});
    }
    // The app takes its file from here: the bytes are there by then.
    var path = 'lessons/' + name + '.bin';
    var bytes = fetch(path).then(function (response) {
      return response.ok ? response.arrayBuffer() : undefined;
    });
    bytes.catch(function () {});
    globalThis.fencingLabFile = { path: path, bytes: bytes };
  }

  function showEarly(markup) {
    if (!markup || !boot.isConnected || app.firstChild) return;
    try {
      var chosen = localStorage.getItem('theme');
      if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
    } catch (error) {
      // Without storage the system decides.
    }
    boot.className = 'static';
    app.className = 'early';
    app.inert = true;
    app.innerHTML = markup;
  }

  // While the app is on its way there is time to find the fonts that it will write with: each family,
  // size and weight is one of its own, and the first page needs most of them at once. One a task, so
  // that none is long.
  function findFonts() {
    var fonts = ['560 f3 sans', '640 f6 sans', '640 f1 mono', '400 f2 mono'];
    ['f1', 'f2', 'f3', 'f4'].forEach(function (size) {
      fonts.push('400 ' + size + ' sans', '640 ' + size + ' sans');
    });
    var style = getComputedStyle(document.documentElement);
    var pen = document.createElement('canvas').getContext('2d');
    setTimeout(function next() {
      var font = fonts.pop().split(' ');
      pen.font = font[0] + ' ' + style.getPropertyValue('--' + font[1]) + ' ' + style.getPropertyValue('--' + font[2]);
      pen.measureText('Aa0 “’→×·');
      if (fonts.length) setTimeout(next);
    });
  }

  var sheet = document.querySelector('link[rel=stylesheet]');
  if (sheet && !sheet.sheet) sheet.addEventListener('load', findFonts);
  else findFonts();

  // Once the app runs, so that it need not share the network. Frames are their hosts' business,
  // and only a build with a manifest has a worker.
  function workOffline() {
    if (parent === self && navigator.serviceWorker && document.querySelector('link[rel=manifest]')) {
      navigator.serviceWorker.register('sw.js').catch(function () {});
    }
  }

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
