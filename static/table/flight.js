// Moves as they come: each one's cards are laid where its effects say, and fly there. What the server draws at the end
// of them stands in its place; here nothing but ways of cards is known.

import { parsed } from "./morph.js";
import { Motion, reduced } from "./motion.js";
import { split } from "./parts.js";

const RATE = 1.2; // no card needs more than a quarter of a second
const READ_MS = 8000;
const DEAL_MS = 220;
const GAP_MS = 22;

const picture = (look, sprite, symbol) => `<svg class="hc ${look}"><use href="${sprite}#${symbol}"/></svg>`;

const listed = (card) => {
  const item = document.createElement("li");
  item.append(card);
  return item;
};

export class Flight {
  /** home: where the table stands, whose data say the pictures of cards. */
  constructor(home) { this.home = home; }

  get table() { return this.home.querySelector(".rp-table"); }

  draw(code) {
    const { sprite, back } = this.home.dataset;
    const known = code && this.card(code);
    if (known) return `<svg class="hc">${known.innerHTML}</svg>`;
    return code && code !== "?" ? picture("", sprite, `c${code.replace(".", "0")}`) : picture("back", sprite, back);
  }

  card(code) { return this.table.querySelector(`[data-card="${code}"]`); }

  hand(seat) { return this.table.querySelector(`[data-seat="${seat}"] .rp-hand`); }

  /** Lay the cards of a move where they go. */
  lay(effects) {
    for (const [code, source, target] of effects) this.put(code, target, this.taken(code, source));
  }

  /** Take a card from where it lies; one that was not seen is made. */
  taken(code, source) {
    const known = this.card(code);
    const place = known?.closest(".rp-places li");
    if (place) {
      place.classList.add("gap");
      place.ariaHidden = "true";
    }
    if (known) {
      (known.closest(".rp-up, .rp-path li") ?? known).remove();
      return known;
    }
    if (source[0] === "h") this.hand(source.slice(1))?.querySelector(".hc:not([data-card])")?.remove();
    const card = parsed(this.draw(code)).firstChild;
    if (code !== "?") card.dataset.card = code;
    return card;
  }

  put(code, target, card) {
    const side = target.slice(1);
    if (target === "f") {
      const gap = this.table.querySelector(".rp-places .gap");
      if (!gap) this.table.querySelector(".rp-places")?.append(listed(card));
      gap?.classList.remove("gap");
      gap?.removeAttribute("aria-hidden");
      gap?.append(card);
    } else if (target[0] === "c") {
      const tray = this.table.querySelector(`[id="tray-${side}"] .rp-kinds`);
      (tray?.querySelector(".rp-kind:last-child") ?? tray)?.append(card);
    } else if (target === "d") {
      this.table.querySelector(".rp-path")?.append(listed(card));
    } else if (target[0] === "h") {
      this.hand(side)?.append(card);
    }
  }

  /**
   * Let moves happen. show(): draw the table as it is after the last of them. ended(deal): the card that says how a
   * deal ended, null for none. waits: whether the reader, not the clock, says when to go on.
   */
  async play(moves, { deal, shown, show, ended, waits, rise }) {
    let now = shown;
    for (const [at, move] of moves.entries()) {
      if (move.deal > now) await this.pause(ended(now), waits);
      now = move.deal;
      const isLast = at === moves.length - 1 && move.deal === deal;
      await this.move(move, isLast ? show : () => this.lay(move.fx), rise(move));
    }
    if (deal > now) await this.pause(ended(now), waits);
  }

  async move(move, change, rise) {
    const isStill = reduced.matches || document.hidden;
    const before = isStill ? null : this.motion().measure();
    change();
    if (isStill || !move.fx.length) return;
    const motion = this.motion();
    motion.play(split({ effects: move.fx }), before, { rate: RATE, show: rise });
    await Promise.allSettled(motion.running.map((one) => one.finished));
  }

  /** Let the cards of a fresh deal fly from the pile to where they lie. */
  deal(effects) {
    const pile = this.table.querySelector(".rp-stack .hc")?.getBoundingClientRect();
    if (!pile || reduced.matches || document.hidden) return;
    const backs = new Map();
    const of = (code, target) => {
      if (code !== "?") return this.card(code);
      if (!backs.has(target)) backs.set(target, [...this.hand(target.slice(1))?.querySelectorAll(".hc:not([data-card])") ?? []]);
      return backs.get(target).shift();
    };
    effects.forEach(([code, , target], at) => {
      const card = of(code, target);
      const box = card?.getBoundingClientRect();
      if (!box?.width) return;
      const frames = [{ translate: `${pile.left - box.left}px ${pile.top - box.top}px`, opacity: 0 }, { opacity: 1, offset: 0.2 }, { translate: "0 0", opacity: 1 }];
      card.animate(frames, { duration: DEAL_MS, delay: at * GAP_MS, fill: "backwards", easing: "ease-out" });
    });
  }

  motion() { return new Motion(this.table, this.home.querySelector(".rp-fly"), (code) => this.draw(code)); }

  /** Show how a deal ended until the reader goes on. */
  async pause(card, waits) {
    if (!card) return;
    const field = this.table.querySelector(".rp-field");
    field.classList.add("over");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "rp-onward", textContent: this.home.dataset.wordsNext });
    card.append(button);
    field.prepend(card);
    button.focus({ preventScroll: true });
    await new Promise((done) => {
      button.addEventListener("click", done);
      if (!waits) setTimeout(done, READ_MS);
    });
  }
}
