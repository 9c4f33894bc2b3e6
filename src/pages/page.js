// Shows the newest state of the page without a reload. Keeps what the reader typed, selected, focused and unfolded, and the scroll
// position. Shows a message if the exporter does not answer. Without this script, pages are complete, but do not update.

const seconds = Number(document.currentScript.dataset.seconds);
let shown;
async function update() {
  const lost = document.getElementById('lost');
  const isBusy = () => document.hidden || getSelection().toString() !== '';
  if (isBusy()) return;
  const text = await fetch(location.href).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  );
  lost.hidden = text?.includes(' id="lost" ') ?? false;
  // The reader may have selected text during the request.
  if (!lost.hidden || text === shown || isBusy()) return;
  shown = text;
  const page = new DOMParser().parseFromString(text, 'text/html');
  const focused = document.activeElement;
  const [main, form] = [document.querySelector('main'), document.querySelector('form')];
  for (const { id } of document.querySelectorAll('details[open]')) page.getElementById(id)?.setAttribute('open', '');
  for (const name of ['title', 'link[rel=icon]', 'link[rel=stylesheet]', 'footer']) {
    document.querySelector(name).replaceWith(page.querySelector(name));
  }
  // The form stays in place, because moving it would end the input.
  const nodes = [...page.querySelector('main').childNodes];
  const place = form === null ? -1 : nodes.indexOf(page.querySelector('form'));
  for (const node of [...main.childNodes]) if (place < 0 || node !== form) node.remove();
  main.prepend(...nodes.slice(0, Math.max(place, 0)));
  main.append(...nodes.slice(place + 1));
  if (!focused.isConnected) {
    [...document.links].find((link) => link.href === focused.href)?.focus({ preventScroll: true });
  }
}
setInterval(update, seconds * 1000);
document.addEventListener('visibilitychange', update);
