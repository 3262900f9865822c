// The page that checks a record: ticks as they are found, a cross names what does not fit. Without script the server does it.

import { promiseCheck } from "../table/promise.js";
import { prove } from "./proof.js";
import { unhex } from "./sha256.js";

const MAX_BYTES = 1024 * 1024;
const FRAME_MS = 50; // so long it checks before what it found is painted
// The lines come one after another, so that eyes can follow what is checked; of a long match only the first ones, and none wait without motion.
const TICK_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 40;
const MAX_TICKS = 30;
const form = document.querySelector("[data-vf-form]");
const { words, cards, decks, icons } = await loaded();
const ICONS = { ok: "check", bad: "cross", open: "clock" };

/** Words, names and decks; nothing where they do not come, and then the server's button is what there is. */
async function loaded() {
  try {
    return await (await fetch(form.dataset.vfForm)).json();
  } catch {
    return {};
  }
}

const fill = (key, values = {}) => words[key].replace(/%\((\w+)\)s/g, (whole, name) => values[name] ?? whole);
const passed = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** What stands in a sentence: cards by name, and a card that is not there in words. */
function named(told) {
  const name = ([key, value]) => [key, value === "" ? words.nothing : ["expected", "found"].includes(key) ? cards[value] ?? value : value];
  return Object.fromEntries(Object.entries(told).map(name));
}

const made = (tag, className, ...inside) => {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...inside);
  return element;
};

function icon(state) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${icons}#${ICONS[state]}`);
  svg.append(use);
  return svg;
}

function line(check) {
  const item = made("li", check.state);
  const said = made("span", "", fill(check.key, check.values));
  if (check.fault) {
    const more = made("span", "sub", `${fill(check.fault, named(check.told))} `);
    if (check.code) more.append(made("span", "code", check.code));
    said.append(more);
  }
  item.append(icon(check.state), " ", said);
  return item;
}

/** The deals of a match as one line, which opens: they are equal but for those that do not fit. */
class Deals {
  constructor() {
    Object.assign(this, { n: 0, bad: 0, summary: made("summary", ""), list: made("ol", "steps") });
    this.details = made("details", "", this.summary, this.list);
    this.item = made("li", "");
  }

  add(check) {
    this.n += 1;
    this.bad += check.state === "bad" ? 1 : 0;
    this.list.append(line(check));
    const state = this.bad ? "bad" : "ok";
    this.item.className = state;
    this.item.replaceChildren(icon(state), " ", this.details);
    this.summary.textContent = fill(this.bad ? "deals_bad" : this.n > 1 ? "deals" : "deal_one", this);
    this.details.open = this.bad > 0;
  }
}

/** The verdict: a headline, where there is one, and what it rests on. */
function tell(place, state, text, headline = "") {
  const said = place.querySelector('[data-vf="said"]');
  said.className = `vf-said ${state}${headline && " vf-verdict"}`;
  said.replaceChildren(...(headline ? [icon(state), made("strong", "", headline), made("span", "", text)] : [text]));
}

/** Check a document and show it. The number of a later run stops an earlier one. */
async function show(place, document_, seed, match) {
  const run = (place.run ?? 0) + 1;
  place.run = run;
  place.dataset.state = "running";
  const list = place.querySelector('[data-vf="checks"]');
  const room = [...list.children].filter((each) => each.className === "vf-room");
  list.replaceChildren(...room);
  tell(place, "", words.working);
  const found = [];
  let [since, deals] = [performance.now(), null];
  for (const check of all(document_, seed, match)) {
    found.push(check);
    const isDeal = ["deal", "orders"].includes(check.key);
    if (!isDeal || !deals) {
      if (isDeal) deals = new Deals();
      const item = isDeal ? deals.item : line(check);
      if (room.length) room.shift().replaceWith(item);
      else list.append(item);
    }
    if (isDeal) deals.add(check);
    const tick = found.length < MAX_TICKS ? TICK_MS : 0;
    if (!tick && performance.now() - since < FRAME_MS) continue;
    await passed(tick);
    if (place.run !== run) return;
    since = performance.now();
  }
  for (const left of room) left.remove();
  const wrong = found.filter((check) => check.state === "bad");
  const bad = wrong.find(({ key }) => !["match", "hash"].includes(key)) ?? wrong[0]; // those two are wrong after any change
  const missing = found.filter((check) => check.state === "open").length;
  const isOurs = found.some(({ key, state }) => key === "match" && state === "ok");
  if (bad) tell(place, "bad", fill("is_bad", { fault: fill(bad.fault, named(bad.told)) }), words.unfair);
  else if (missing) tell(place, "open", fill("some_open", { n: found.length - missing, all: found.length }), words.unfinished);
  else tell(place, "ok", fill("all_ok", { n: found.length }), isOurs ? words.fair : words.fits);
  place.dataset.state = bad ? "bad" : "done";
}

/** Whose record it is, then what it says. match: the commitment, hash and leg that the page stands for. */
function* all(document_, seed, match) {
  const { commit, leg } = document_.record?.fair ?? {};
  if (match && (match.must || (commit === match.commit && String(leg) === match.leg))) {
    const isIt = commit === match.commit && document_.hash === match.hash;
    yield { key: "match", values: {}, told: {}, ...(isIt ? { state: "ok", code: "", fault: "" } : { state: "bad", code: "proof.other_match", fault: "wrong_match" }) };
  }
  const promised = promiseCheck(document_.record);
  if (promised) yield promised;
  yield* prove(document_, seed, decks);
}

const pageMatch = document.querySelector("hanami-verify")?.dataset;

async function checkMatch(place) {
  try {
    const answer = await fetch(place.dataset.record, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const document_ = await answer.json();
    await show(place, document_, unhex(document_.view?.seed), { ...place.dataset, must: true });
  } catch {
    tell(place, "bad", words.failed);
    place.dataset.state = "failed";
  }
}

class Refused extends Error {}

/** The document in a text. A number that is not written as a whole one is none of a record's. */
function parsed(text) {
  if (!text.trim()) throw new Refused(words.empty);
  if (text.length > MAX_BYTES) throw new Refused(fill("too_large", { most: MAX_BYTES / 1024 }));
  let value;
  try {
    value = JSON.parse(text, (_key, one, context) => (/^-?\d+[.eE]/.test(context?.source ?? "") ? NaN : one));
  } catch (error) {
    throw new Refused(fill("not_json", { message: error.message }));
  }
  if (value?.compact && !value.record) throw new Refused(words.compact);
  if (typeof value?.record !== "object" || !value.record || !("hash" in value)) throw new Refused(words.not_record);
  return value;
}

async function checkPasted(form, place) {
  const [file] = form.elements.file.files;
  try {
    if (file?.size > MAX_BYTES) throw new Refused(fill("too_large", { most: MAX_BYTES / 1024 }));
    const document_ = parsed(file ? await file.text() : form.elements.record.value);
    const typed = form.elements.seed.value.trim();
    if (typed && !unhex(typed)) throw new Refused(words.bad_seed);
    const { commit, leg } = document_.record.fair ?? {};
    const own = pageMatch && commit === pageMatch.commit && String(leg) === pageMatch.leg ? pageMatch.seed : "";
    await show(place, document_, unhex(typed) ?? unhex(document_.view?.seed) ?? unhex(own), pageMatch);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.querySelector('[data-vf="checks"]').replaceChildren();
    tell(place, "bad", error.message);
    place.dataset.state = "refused";
  }
}

class Verify extends HTMLElement {
  connectedCallback() { checkMatch(this); }
}

if (words) {
  const place = document.querySelector("[data-vf-pasted]");
  const button = form.querySelector("[data-vf-here]");
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!place.querySelector('[data-vf="said"]')) {
      place.innerHTML = '<div class="vf-said" role="status" data-vf="said"></div><ol class="steps vf-checks" data-vf="checks"></ol>';
    }
    checkPasted(form, place);
  });
}
if (words) customElements.define("hanami-verify", Verify);
