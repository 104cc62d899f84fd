// Snippets in search results when the pages are read from a disk, where a page may not fetch another one.
(() => {
  if (location.protocol !== "file:") return;
  const root = new URL(document.documentElement.dataset.content_root || "./", location.href).href;
  const real = window.fetch;
  let texts = null;
  const loaded = () =>
    (texts ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = new URL("_static/page-texts.js", root).href;
      script.onload = () => done(window.THRESHER_PAGE_TEXTS || {});
      script.onerror = () => done({});
      document.head.append(script);
    }));
  window.fetch = (address, ...rest) => {
    const where = new URL(String(address), location.href).href.split(/[?#]/)[0];
    if (!where.startsWith(root) || !where.endsWith(".html")) return real(address, ...rest);
    return loaded().then((pages) => {
      const main = document.createElement("div");
      main.setAttribute("role", "main");
      main.textContent = pages[decodeURI(where.slice(root.length))] || "\u00a0"; // of nothing no snippet is made
      return new Response(main.outerHTML);
    });
  };
})();
