// The part of the page that shows a table, as the server wrote it: put in place when the cards of the moves that led
// there have flown.

import { Flight } from "./flight.js";
import { become, parsed } from "./morph.js";

/** What stands in an element, but for what differs each time that it is written. */
const written = (element) => element.innerHTML.trim().replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");

export class Drawing {
  /** home: where the table stands; onPut(view): the part stands there now. shown: moves that lie on the table. */
  constructor(home, onPut) {
    // fresh: cards that others have moved since one's own last turn
    Object.assign(this, { home, onPut, flight: new Flight(home), shown: null, drawn: "", fresh: new Set() });
  }

  /** The page stands as the server wrote it, with this number of moves. */
  begin(told) {
    this.shown = told;
    this.drawn = written(this.home);
  }

  /** Draw a view; returns the moves that were seen to happen. */
  async show(view) {
    const body = parsed(view.part.body);
    const news = view.moves.filter((move) => this.shown !== null && move.told > this.shown);
    const deal = view.deals.at(-1)?.number ?? 0;
    const from = Number(this.home.querySelector("[data-deal]")?.dataset.deal ?? 0);
    const isGap = this.shown === null || view.resync || (news.length > 0 && news[0].told !== this.shown + 1);
    for (const { seat, fx } of news) if (seat !== view.me) fx.forEach(([card]) => this.fresh.add(card));
    let isDrawn = false;
    const draw = () => { isDrawn = true; this.put(view, body); };
    if (!isGap && from && (news.length || deal > from)) {
      const waits = view.me !== null && view.times.every((time) => time === null);
      const ended = (number) => body.querySelector(`[data-ended="${number}"] .rp-end`)?.cloneNode(true);
      await this.flight.play(news, { deal, shown: from, show: draw, ended, waits, rise: (move) => this.risen(move, view) });
    }
    if (!isDrawn) draw();
    if (deal > from && !view.moves.some((move) => move.deal === deal)) this.flight.deal(view.deals.at(-1).fx0);
    this.shown = view.told;
    return isGap ? [] : news;
  }

  /** What rises in the middle when a move has made a yaku. */
  risen(move, view) {
    const made = move.ev.filter(({ code }) => code === "yaku").map(({ yaku }) => view.board.yaku.find(({ id }) => id === yaku)).filter(Boolean);
    if (!made.length) return "";
    const cards = [...new Set(made.flatMap((one) => one.cards.map(([card]) => card)))].slice(0, 5);
    const name = document.createElement("strong");
    name.textContent = made.map((one) => one.name).join(" · ");
    return `<p>${cards.map((card) => this.flight.draw(card)).join("")}</p>${name.outerHTML}`;
  }

  put(view, body) {
    if (this.isSame(body)) return;
    for (const fold of body.querySelectorAll("details[id]")) fold.open = document.getElementById(fold.id)?.open ?? fold.open;
    become(this.home, body);
    for (const card of this.fresh) this.home.querySelector(`.rp-table [data-card="${card}"]`)?.classList.add("moved");
    this.onPut(view);
  }

  /** Whether the page shows this already: nothing is drawn again that may be touched just now. */
  isSame(body) {
    const holder = document.createElement("div");
    holder.append(body.cloneNode(true));
    const next = written(holder);
    const is = next === this.drawn;
    this.drawn = next;
    return is;
  }
}
