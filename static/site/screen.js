// The projector turns pages of what is longer than the wall.
const box = document.querySelector("[data-turning]");
const SPEEDS_S = [6, 10, 15, 25, 40];
let speed = 2;
let turning = true;
let turn = 0;
let timer;
let still;

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
    const [pages, rows] = [pagesOf(list), [...list.children]];
    const page = pages[turn % pages.length];
    const first = rows.indexOf(page[0]);
    const range = list.closest("[data-turn]").querySelector("[data-range]");
    most = Math.max(most, pages.length);
    rows.forEach((row) => { row.hidden = !page.includes(row); });
    if (range) range.textContent = pages[1] ? `${first + 1}–${first + page.length} / ${rows.length}` : "";
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
  const news = new MutationObserver(show);
  document.querySelectorAll("[data-turn]").forEach((part) => news.observe(part, { childList: true }));
}
