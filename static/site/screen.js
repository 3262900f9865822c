// The projector turns the pages of a table that is longer than the wall: as many rows as fit, then the next ones. It can
// be stopped and made slower or faster. Without script, or if everything fits, the whole table is there.
const box = document.querySelector("[data-turning]");
const SPEEDS_S = [6, 10, 15, 25, 40];
const MIN_ROWS = 1;
let speed = 2;
let turning = true;
let turn = 0;
let timer = 0;

function bodies() {
  return [...document.querySelectorAll("[data-turn] tbody")];
}

// The rows of each page: as many as fit between the head of the table and the bottom of its part of the screen.
function pagesOf(body) {
  const rows = [...body.rows];
  rows.forEach((row) => { row.hidden = false; });
  const part = body.closest("[data-turn]").getBoundingClientRect();
  const room = part.bottom - body.getBoundingClientRect().top;
  const pages = [[]];
  let used = 0;
  for (const row of rows) {
    const page = pages.at(-1);
    if (used + row.offsetHeight > room && page.length >= MIN_ROWS) {
      pages.push([row]);
      used = row.offsetHeight;
    } else {
      page.push(row);
      used += row.offsetHeight;
    }
  }
  return pages;
}

function show() {
  document.body.classList.toggle("paged", matchMedia("(min-width: 701px)").matches);
  let most = 1;
  for (const body of bodies()) {
    const pages = pagesOf(body);
    const page = pages[turn % pages.length];
    most = Math.max(most, pages.length);
    [...body.rows].forEach((row) => { row.hidden = !page.includes(row); });
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
  // News puts fresh rows in; the page that is shown stays the same.
  const news = new MutationObserver(show);
  document.querySelectorAll("[data-turn]").forEach((part) => news.observe(part, { childList: true }));
}
