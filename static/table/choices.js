// What the reader may choose, taken from the buttons of the form that the server wrote: no rule is known here. A hand
// card, then the card to take where there is a choice; one tap where there is none. Arrows, digits, Enter and Escape
// do the same.

const lettersAllowed = () => !("noKeys" in document.documentElement.dataset);
const ASIDE = "input, textarea, select, summary, [contenteditable]";

export class Choices {
  /** send(n, a): the choice is made. settings.confirm: a card that has one way is chosen twice. */
  constructor(home, send, settings) {
    Object.assign(this, { home, send, settings, options: [], chosen: null, byKey: false });
    home.addEventListener("click", (event) => this.onClick(event));
    home.addEventListener("submit", (event) => this.onSubmit(event));
    for (const kind of ["pointerover", "focusin"]) home.addEventListener(kind, ({ target }) => this.match(target));
    addEventListener("pointerdown", () => { this.byKey = false; });
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** Take the form that stands in the page now. */
  open() {
    this.form = this.home.querySelector("form[data-choices]");
    this.options = [...(this.form?.querySelectorAll("button[name=a]") ?? [])]
      .map((button) => ({ button, ...button.dataset }));
    this.field = this.form?.querySelector("select");
    this.chosen = null;
    this.draw();
    if (this.byKey && this.options.length && !document.querySelector(":focus")) (this.field ?? this.stage()[0])?.focus({ preventScroll: true });
  }

  close() {
    this.options = [];
    this.form?.setAttribute("aria-busy", "true");
    this.draw();
  }

  /** The options that one more tap may finish. */
  get near() { return this.options.filter(({ card }) => !card || card === this.chosen); }

  hand() { return [...this.home.querySelectorAll(".rp-me .rp-hand [data-card]")]; }

  draw() {
    const cards = new Set(this.options.map(({ card }) => card).filter(Boolean));
    const takes = new Set(this.near.map(({ take }) => take));
    for (const card of this.hand()) {
      const code = card.dataset.card;
      this.light(card, "pick", cards.has(code));
      card.classList.toggle("chosen", code === this.chosen);
      if (cards.has(code)) card.ariaPressed = code === this.chosen;
    }
    for (const card of this.home.querySelectorAll(".rp-places [data-card]")) {
      this.light(card, "aim", takes.has(card.dataset.card));
    }
    this.match();
    for (const { button, card } of this.options) button.classList.toggle("on", card === this.chosen);
    this.form?.classList.toggle("many", takes.size > 2); // the field alone offers its cards
    this.home.classList.toggle("taking", this.chosen && takes.size > 1);
    this.home.toggleAttribute("data-choosing", cards.size > 0);
    this.rove();
  }

  /** Cards of the field with the flower of the one chosen, or looked at, rise. */
  match(target = null) {
    const code = this.chosen ?? target?.closest(".pick")?.dataset.card ?? "none";
    for (const card of this.home.querySelectorAll(".rp-places [data-card]")) {
      card.classList.toggle("match", card.dataset.card.startsWith(code.slice(0, 3)) && !card.matches(".aim"));
    }
  }

  light(card, look, is) {
    card.classList.toggle(look, is);
    card.role = is ? "button" : "img";
    if (is) return;
    card.ariaPressed = null;
    card.removeAttribute("tabindex");
  }

  /** What may be chosen now, in the order of the table. */
  stage() {
    const aims = [...this.home.querySelectorAll(".rp-places .aim")];
    const buttons = this.near.map(({ button }) => button).filter((each) => each.checkVisibility());
    const picks = this.hand().filter((card) => card.matches(".pick"));
    return [...(this.chosen ? [] : picks), ...aims, ...buttons];
  }

  /** One of the cards of each group is reached by the Tab key. */
  rove() {
    for (const look of [".pick", ".aim"]) {
      const group = [...this.home.querySelectorAll(`.rp-table ${look}`)];
      const here = group.find((card) => card.matches(":focus, .chosen")) ?? group[0];
      for (const card of group) card.tabIndex = card === here ? 0 : -1;
    }
  }

  onClick({ target }) {
    const card = target.closest?.(".pick, .aim");
    if (card) this.tap(card);
  }

  tap(card) {
    const code = card.dataset.card;
    if (card.matches(".aim")) this.finish(this.near.find(({ take }) => take === code));
    else this.choose(code);
  }

  choose(code) {
    const own = this.options.filter(({ card }) => card === code);
    if (own.length === 1 && (!this.settings.confirm || this.chosen === code)) return this.finish(own[0]);
    this.chosen = this.chosen === code ? null : code;
    this.draw();
    if (this.byKey && this.chosen) this.stage()[0]?.focus();
  }

  finish({ button }) {
    const { elements } = this.form;
    this.close();
    // The button of a field names it.
    this.send(elements.n?.value, (elements.namedItem(button.value) ?? button).value);
  }

  /** A button of the form. */
  onSubmit(event) {
    if (event.target !== this.form) return;
    event.preventDefault();
    const option = this.options.find(({ button }) => button === event.submitter);
    if (option) this.finish(option);
  }

  back() {
    const card = this.home.querySelector(".chosen");
    this.chosen = null;
    this.draw();
    card?.focus();
  }

  onKey(event) {
    this.byKey = true;
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.options.length) return;
    if (document.querySelector("dialog:popover-open") || target.closest(ASIDE)) return;
    const act = this.act(key, target);
    if (!act) return;
    event.preventDefault();
    act();
  }

  act(key, target) {
    const card = target.closest(".pick, .aim");
    if (key === "Escape") return this.chosen && (() => this.back());
    if (["Enter", " "].includes(key)) return card && (() => this.tap(card));
    const stage = this.stage();
    const at = stage.indexOf(target);
    const step = { ArrowLeft: -1, ArrowRight: 1, ...(card && { ArrowUp: -1, ArrowDown: 1 }) }[key];
    if (step && (at >= 0 || !target.closest("a, button"))) return () => this.focus(stage.at(at < 0 ? Math.min(step, 0) : (at + step) % stage.length));
    if (!lettersAllowed() || !/^\d$/.test(key)) return null;
    if (this.field) return this.field.focus(); // and takes the digit itself
    const chosen = stage[key - 1];
    return chosen && (() => (chosen.matches("button") ? chosen.click() : this.tap(chosen)));
  }

  focus(element) {
    element?.focus();
    this.rove();
  }
}
