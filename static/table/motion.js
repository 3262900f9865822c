// A move as four beats: the hand card flies onto its partner, rests, the pile's card turns and lands, what was taken
// glides to its tray. Copies fly; the table below shows the new place already.

export const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const LAND = 180;
const REST = 140;
const TURN = 220;
const GLIDE = 260;
const SHOW = 1200;
const LIFT = 6;
const ASIDE = [10, 12];
const TILT = 4;
const ROOM = 64; // pixels of a gain
const SHAPE = 1.625; // height of a card by its width
const EASE = "cubic-bezier(.25, .7, .3, 1)";

/** Milliseconds at speed 1 at which the beats of a move begin and end. */
export function beatsOf(hand, flip) {
  const at = { hand: [0, 0], flip: [0, 0] };
  let now = 0;
  if (hand.length) { at.hand = [0, LAND]; now = LAND + REST; }
  if (flip.length) { at.flip = [now, now + TURN]; now += TURN + REST; }
  return { ...at, gather: now, end: now + GLIDE };
}

export class Motion {
  /** draw(code): markup of a card; of a back without a code. */
  constructor(table, layer, draw) {
    Object.assign(this, { table, layer, draw, running: [], held: [], end: 0 });
  }

  /** Switch the sounds on or off; they are loaded when they are first wanted. */
  static async hear(is) { (Motion.sounds ??= await import("./sound.js")).listen(is); }

  /** Where cards, pile, hands and accounts lie, from the layer: {x, y: centre, w}. */
  measure() {
    const home = this.layer.getBoundingClientRect();
    const found = new Map();
    const put = (key, element) => {
      const box = element?.getBoundingClientRect();
      if (box?.width) found.set(key, { x: box.left + box.width / 2 - home.left, y: box.top + box.height / 2 - home.top, w: Math.min(box.width, box.height / SHAPE) });
    };
    for (const card of this.table.querySelectorAll("[data-card]")) put(card.dataset.card, card);
    put("p", this.table.querySelector(".rp-stack .hc"));
    for (const seat of this.table.querySelectorAll("[data-seat]")) put(`h${seat.dataset.seat}`, seat.querySelector(".rp-hand .hc") ?? seat.querySelector("h3"));
    for (const one of this.table.querySelectorAll("[data-side]")) put(`c${one.dataset.side}`, one);
    for (const [key, count] of this.counts()) found.set(key, count.data);
    return found;
  }

  counts() {
    return [...this.table.querySelectorAll(".rp-fig b, .rp-kind > span, .rp-pile small, .rp-open span, .rp-open i")].map((one) => [
      [one.closest("section").ariaLabel, one.closest("[class]").className, one.querySelector("use")?.getAttribute("href")].join(),
      one.lastChild,
    ]);
  }

  /**
   * Let a move happen: the table lies as after it, `from` is how it lay before. gain: {side, text} that appears beside
   * an account; show: markup that rises in the middle.
   */
  play({ hand = [], flip = [], rest = [] }, from, { rate = 1, gain = null, show = "" } = {}) {
    const at = beatsOf(hand, flip);
    this.table.classList.add("flying");
    const to = this.measure();
    Object.assign(this, { at, rate, end: at.end });
    for (const [effects, beat] of [[hand, at.hand], [flip, at.flip], [rest, [at.gather, at.end]]]) {
      const under = effects.find(([, source, target]) => source === "f" && target[0] === "c")?.[0];
      for (const effect of effects) this.send(effect, from, to, beat, from.get(under), effects === flip);
    }
    for (const one of this.table.querySelectorAll("[data-card]:not(.away)")) this.stay(one, from.get(one.dataset.card), to.get(one.dataset.card));
    for (const [key, count] of this.counts()) this.hold(count, from.get(key) ?? count.data);
    const { slap, turn } = Motion.sounds ?? {};
    if (hand.length) slap?.((at.hand[1] - 30) / rate);
    if (flip.length) { turn?.(at.flip[0] / rate); slap?.((at.flip[1] - 30) / rate); }
    if (gain) this.float(gain);
    if (show) this.rise(show);
    const card = this.table.querySelector(".rp-end");
    if (card) this.run(card, [{ opacity: 0, transform: "scale(.95)" }, { opacity: 1, transform: "none" }], { delay: this.end, duration: GLIDE });
    const own = this.running;
    Promise.all(own.map((one) => one.finished)).then(() => { if (own === this.running) this.finish(); }, () => {});
  }

  send([card, source, target], from, to, [begins, lands], under, isTurned) {
    const start = from.get(card) ?? from.get(source);
    const goal = to.get(card) ?? to.get(target);
    if (!start || !goal) return;
    const { gather, end } = this.at;
    const isTaken = target[0] === "c";
    const isHidden = ["p", "h"].includes(target[0]) && !from.has(card); // it went from one closed place to another
    const stops = [{ t: 0, ...start, turn: isTurned && source === "p" && !from.has(card) ? 180 : 0 }];
    if (source !== "f" && begins < gather) {
      const scale = (under?.w ?? 0) / 64;
      const beside = under ? { x: under.x + ASIDE[0] * scale, y: under.y + ASIDE[1] * scale, w: under.w, tilt: TILT } : start;
      const lift = LIFT * (source[0] === "h");
      stops.push({ ...stops[0], t: begins }, { ...stops[0], t: begins + (lands - begins) / 4, y: start.y - lift }, { t: lands, ...(isTaken ? beside : goal) });
    }
    if (isTaken || stops.length === 1) stops.push({ ...stops.at(-1), t: gather }, { t: end, ...goal });
    this.fly(card, isHidden, stops, source === "f" ? 1 : 2);
  }

  /** What does not fly lies as before until what was taken leaves. */
  stay(element, was, is) {
    if (!was || !is || (was.x === is.x && was.y === is.y)) return;
    this.run(element, [{ translate: `${was.x - is.x}px ${was.y - is.y}px` }, { translate: "0 0" }], { delay: this.at.gather, duration: GLIDE, easing: EASE });
  }

  /** A figure changes as the cards arrive. */
  hold(count, was) {
    const is = count.data;
    if (was === is) return;
    count.data = was;
    const free = () => { if (count.data === was) count.data = is; };
    this.held.push(free);
    this.run(count.parentElement, [], { duration: this.at.end }).finished.then(free, () => {});
  }

  fly(card, isHidden, stops, level) {
    const { end } = this.at;
    const width = Math.max(...stops.map(({ w }) => w));
    const frames = stops.map(({ t, x, y, w, tilt = 0, turn: turned = 0 }) => ({
      offset: Math.min(t / end, 1),
      easing: EASE,
      transform: `translate(${x - width / 2}px, ${y - (width * SHAPE) / 2}px) scale(${w / width}) rotate(${tilt}deg) rotateY(${turned}deg)`,
    }));
    if (frames.at(-1).offset < 1) frames.push({ ...frames.at(-1), offset: 1 });
    const copy = this.show("rp-flier", isHidden ? this.draw() : this.draw(card) + this.draw(), frames, { duration: end });
    copy.dataset.card = card;
    Object.assign(copy.style, { width: `${width}px`, zIndex: level });
    this.table.querySelector(`[data-card="${card}"]`)?.classList.add("away");
  }

  show(look, markup, frames, timing) {
    const copy = Object.assign(document.createElement("div"), { className: look, innerHTML: markup });
    this.layer.append(copy);
    this.run(copy, frames, timing);
    return copy;
  }

  /** A gain appears beside the figure; what stands there gives way. */
  float({ side, text }) {
    const account = this.table.querySelector(`[data-side="${side}"]`);
    const box = account?.querySelector("b").getBoundingClientRect();
    if (!box?.width) return;
    const home = this.layer.getBoundingClientRect();
    const isLast = box.right + ROOM > home.right;
    const fade = (...opacity) => [{ opacity, offset: [0, 0.15, 0.75, 1] }, { delay: this.at.gather + GLIDE / 2, duration: 900 }];
    this.show(`rp-float${isLast ? " last" : ""}`, text, ...fade(0, 1, 1, 0))
      .style.cssText = `left: ${(isLast ? box.left : box.right) - home.left}px; top: ${box.top - home.top}px`;
    for (const one of account.parentElement.querySelectorAll(".rp-fig span:not(.sr),.rp-open")) this.run(one, ...fade(1, 0, 0, 1));
  }

  rise(markup) {
    const there = { opacity: 1, transform: "none" };
    const frames = [{ opacity: 0, transform: "translateY(40px) scale(.9)" }, { ...there, offset: 0.2 }, { ...there, offset: 0.85 }, { opacity: 0, transform: "translateY(-12px)" }];
    this.show("rp-rise", markup, frames, { delay: this.at.end, duration: SHOW });
    this.end += SHOW;
  }

  run(element, frames, timing) {
    const one = element.animate(frames, { ...timing, fill: "both" });
    one.playbackRate = this.rate;
    this.running.push(one);
    return one;
  }

  finish() {
    for (const one of this.running) one.cancel();
    this.running = [];
    this.table.classList.remove("flying");
    for (const free of this.held.splice(0)) free();
    this.layer.replaceChildren();
    this.end = 0;
    for (const card of this.table.querySelectorAll(".away")) card.classList.remove("away");
  }
}
