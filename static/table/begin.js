// The newest match on a page about other things: a still, until the frame that plays it has been fetched. That begins
// when the page has stood for a while, so that it takes nothing from the page itself.

const STANDS_MS = 1000;

const home = document.querySelector(".felt-now");

function begin() {
  const frame = home.querySelector("template").content.firstElementChild;
  frame.addEventListener("load", () => home.classList.add("plays"), { once: true });
  home.prepend(frame);
}

if (home && matchMedia("(prefers-reduced-motion: no-preference)").matches) {
  addEventListener("load", () => setTimeout(begin, STANDS_MS), { once: true });
}
