// The projector turns pages of what is longer than the wall. It can be stopped and made slower or faster; its controls
// are seen while the mouse moves. Without script everything is there.
const box = document.querySelector("[data-turning]");
const SPEEDS_S = [6, 10, 15, 25, 40];
let speed = 2;
let turning = true;
let turn = 0;
let timer = 0;
let still = 0;

// The rows of each page, until their part of the screen is full.
function pagesOf(list) {
  const part = list.closest("[data-turn]");
  const rows = [...list.children];
  rows.forEach((row) => { row.hidden = true; });
  const pages = [[]];
  for (const row of rows) {
    row.hidden = false;
    if (part.scrollHeight > part.clientHeight + 1 && pages.at(-1).length) {
      pages.at(-1).forEach((each) => { each.hidden = true; });
      pages.push([]);
    }
    pages.at(-1).push(row);
  }
  return pages;
}

function show() {
  document.body.classList.toggle("paged", matchMedia("(min-width: 701px)").matches);
  let most = 1;
  for (const list of document.querySelectorAll("[data-rows]")) {
    const pages = pagesOf(list);
    const page = pages[turn % pages.length];
    most = Math.max(most, pages.length);
    [...list.children].forEach((row) => { row.hidden = !page.includes(row); });
  }
  box.hidden = most < 2;
  box.querySelector("[data-page]").textContent = `${(turn % most) + 1}/${most}`;
}

function next() {
  turn += 1;
  show();
}

function again() {
  clearInterval(timer);
  if (turning) timer = setInterval(next, SPEEDS_S[speed] * 1000);
  box.querySelector("[data-stop]").textContent = turning ? box.dataset.wordsStop : box.dataset.wordsTurn;
}

function button(name, textContent, onclick) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent, onclick });
  made.dataset[name] = "";
  box.append(made);
}

function moved() {
  clearTimeout(still);
  document.body.classList.add("moved");
  still = setTimeout(() => document.body.classList.remove("moved"), 3000);
}

if (box) {
  const page = document.createElement("span");
  page.dataset.page = "";
  box.append(page);
  button("stop", box.dataset.wordsStop, () => { turning = !turning; again(); });
  button("slower", box.dataset.wordsSlower, () => { speed = Math.min(SPEEDS_S.length - 1, speed + 1); again(); });
  button("faster", box.dataset.wordsFaster, () => { speed = Math.max(0, speed - 1); again(); });
  button("next", box.dataset.wordsNext, next);
  show();
  again();
  addEventListener("resize", show);
  addEventListener("pointermove", moved);
  // News puts fresh rows in.
  const news = new MutationObserver(show);
  document.querySelectorAll("[data-turn]").forEach((part) => news.observe(part, { childList: true }));
}
