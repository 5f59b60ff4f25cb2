// Loads the app, and says so when that takes long or fails. The app's files are
// named by a hash, so their addresses come from the page's preload links.
(function () {
  'use strict';
  var boot = document.getElementById('boot');
  var loading = document.getElementById('boot-loading');
  var failed = document.getElementById('boot-failed');
  var reason = document.getElementById('boot-reason');

  function address(rel) {
    return document.querySelector('link[rel="' + rel + '"][href]').href;
  }

  // A fast start shows nothing at all.
  var slow = setTimeout(function () {
    loading.hidden = false;
  }, 300);

  function fail(text) {
    clearTimeout(slow);
    loading.hidden = true;
    reason.textContent = text;
    failed.hidden = false;
  }

  // A new load is the only sure retry: browsers remember that a module failed.
  document.getElementById('boot-retry').addEventListener('click', function () {
    location.reload();
  });

  if (typeof WebAssembly !== 'object') {
    fail('This browser has no WebAssembly, or it is switched off.');
    return;
  }

  import(address('modulepreload'))
    .then(function (app) {
      return app.default({ module_or_path: address('preload') });
    })
    .then(
      function () {
        clearTimeout(slow);
        boot.remove();
      },
      function (error) {
        console.error(error);
        fail('A part of it could not be loaded, or did not start.');
      },
    );
})();
