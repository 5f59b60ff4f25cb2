// The app's files, in a page that is all of the app: `fetch` finds them here, by the addresses
// that they have beside the page otherwise.
(function (files, glue) {
  'use strict';
  var folder = new URL('.', location.href).href;

  function bytes(base64) {
    return Uint8Array.from(atob(base64), function (sign) {
      return sign.charCodeAt(0);
    });
  }

  globalThis.fetch = async function (address) {
    var url = new URL(address, document.baseURI).href.split(/[?#]/)[0];
    var name = url.startsWith(folder) ? url.slice(folder.length) : '';
    if (!Object.hasOwn(files, name)) return new Response(null, { status: 404 });
    var packed = new Blob([bytes(files[name].data)]).stream();
    var stream = packed.pipeThrough(new DecompressionStream('deflate-raw'));
    return new Response(stream, { headers: { 'Content-Type': files[name].type } });
  };

  // boot.js looks for the app's script there.
  var link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = URL.createObjectURL(new Blob([glue], { type: 'text/javascript' }));
  document.head.append(link);

  // The other page and the one about embedding need a server: a link to them says so.
  addEventListener(
    'click',
    function (event) {
      var to = event.target.closest('a[href^="lab.html"], a[href="#/embed"]');
      if (!to) return;
      event.preventDefault();
      alert('“' + to.textContent + '” is not in this file.');
    },
    true,
  );
})(FILES, GLUE);
