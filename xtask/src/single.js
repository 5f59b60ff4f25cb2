// What a page needs that has all of its files in it: `FILE` says which, see single.rs.
(async function (file) {
  'use strict';
  var present = new RegExp(file.present);
  var isEmbed = /[?&]embed\b/.test(location.search);

  // ---- files

  /** Two signs are 13 bits: see pack.rs. */
  function bytes(text) {
    function value(at) {
      var sign = text.charCodeAt(at);
      return (sign === 33 ? 60 : sign === 126 ? 92 : sign) - 35 || 0;
    }
    var all = new Uint8Array((text.length * 13) >> 4);
    for (var held = 0, bits = 0, at = 0, end = 0; at < text.length; at += 2) {
      held |= (value(at) + 91 * value(at + 1)) << bits;
      for (bits += 13; bits > 7; bits -= 8, held >>= 8) all[end++] = held;
    }
    return all;
  }

  var unpacked = [];
  async function read(name) {
    var [pack, start, end] = file.files[name];
    if (!unpacked[pack]) {
      var stream = new Blob([bytes(file.packs[pack])]).stream();
      unpacked[pack] = new Response(stream.pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();
    }
    return (await unpacked[pack]).slice(start, end);
  }

  // What the app asks for has the names that it has beside the page otherwise. Only these count: a
  // page may be shown from an address that nothing can be beside.
  globalThis.fetch = async function (address) {
    var name = /(lessons\/)?[^/]*$/.exec(String(address).split(/[?#]/)[0])[0];
    if (!Object.hasOwn(file.files, name)) throw 'It is not in this file.';
    var type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(await read(name), { headers: { 'Content-Type': type } });
  };

  // ---- what is not in the file

  function say(name, address) {
    var box = document.createElement('dialog');
    box.innerHTML = '<p id="absent"></p><div class="turn"><button class="btn" type="button">Close</button></div>';
    box.setAttribute('aria-labelledby', 'absent');
    box.firstChild.textContent = '“' + name + '” is not in this file.';
    if (file.site) {
      var link = document.createElement('a');
      link.className = 'btn primary';
      link.href = file.site + address;
      link.target = '_blank';
      link.rel = 'noopener';
      link.textContent = 'Open it online';
      box.lastChild.prepend(link);
    }
    box.onclose = box.remove;
    box.lastChild.onclick = function () {
      box.close();
    };
    document.body.append(box);
    box.showModal();
  }

  /** The name of a link, without the signs beside it. */
  function named(link) {
    var texts = Array.from(link.childNodes).filter(function (node) {
      return node.nodeType === Node.TEXT_NODE;
    });
    return link.getAttribute('aria-label') || texts.pop().data;
  }

  addEventListener(
    'click',
    function (event) {
      var link = event.target.closest('a[href]');
      if (!link) return;
      var to = link.getAttribute('href').replace(/^\.\//, '');
      if (!present.test(to)) {
        event.preventDefault();
        say(named(link), to);
      } else if (to[0] === '#') {
        // The app of an embed is this file, too.
        link.href = isEmbed ? location.href.split(/[?#]/)[0] + to : to;
      }
    },
    true,
  );

  // An embed has its options there.
  function arrive() {
    var to = location.hash;
    if (present.test(to)) return;
    location.hash = file.home;
    if (to.length > 2) say(to, to);
  }
  if (!isEmbed) {
    arrive();
    addEventListener('popstate', function () {
      if (!present.test(location.hash)) location.reload();
    });
  } else if (file.lesson && !/[?&#](lesson|scenario)=/.test(location.search + location.hash)) {
    location.hash += '&lesson=' + file.lesson;
  }

  // ---- the app

  var decoder = new TextDecoder();
  function address(script) {
    return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  }
  var sheet = new CSSStyleSheet();
  sheet.replaceSync(decoder.decode(await read('style')) + file.style);
  document.adoptedStyleSheets = [sheet];
  // boot.js looks for the app's script there.
  var glue = document.createElement('link');
  glue.rel = 'modulepreload';
  glue.href = address(await read('glue'));
  var boot = document.createElement('script');
  boot.src = address(await read('boot'));
  document.head.append(glue, boot);
})(FILE).catch(function (error) {
  console.error(error);
  document.getElementById('boot-reason').textContent = 'This browser could not unpack it.';
  document.getElementById('boot-failed').hidden = false;
});
