// Moves, and the end of a deal: the twin of core/replay/rows.py and score.py.

import { split } from "./parts.js";
import { positionAt, seatsOf } from "./reducer.js";
import { number, safe, sideName, takenBy } from "./words.js";

const FAN = 5;
const MANY = 3;
const sign = ({ book }, name) => book.signs[name] || (book.yaku[name] ?? name);
export const first = (view, side) => seatsOf(view.replay, side)[0];

function halves(move) {
  const { hand, flip } = split(move);
  const played = hand.filter(([, source, target]) => source[0] === "h" && "fcdx".includes(target[0]));
  const found = played.map(([card], i) => ({ card, taken: i ? [] : takenBy(hand) }));
  const isDealt = !played.length && move.effects.filter(([, from]) => from === "p").length > 1;
  const turned = move.flip ?? (isDealt ? "" : flip.find(([, from]) => from === "p")?.[0]);
  if (turned && !flip.some(([, , target]) => target[0] === "h")) found.push({ card: turned, taken: takenBy(flip), isFlip: true });
  return found;
}

/** What a move brought: points of its side, and yaku: [id, side]. */
export function brought(view, deal, move) {
  const [before, after] = [move - 1, move].map((each) => positionAt(view.replay, deal, each).trays);
  const side = view.replay.sides[deal.moves[move - 1].seat];
  const told = deal.moves[move - 1].events.flatMap(({ yaku }) => (yaku ? [[yaku, side]] : []));
  const made = after.flatMap((tray, own) => view.words.made(before[own], tray).map((name) => [name, own]));
  return { side, gain: view.points(after[side]) - view.points(before[side]), yaku: [...new Map([...told, ...made])] };
}

function half(view, { card, taken, isFlip }) {
  const took = taken.map((each) => view.thumb(each)).join("");
  return `<span${isFlip ? ' class="flip"' : ""}>${view.thumb(card)}${took && "<b>→</b>"}${took}</span>`;
}

function row(view, deal, number_, cards, isBest) {
  const { words, replay } = view;
  const move = deal.moves[number_ - 1];
  const { gain, yaku } = brought(view, deal, number_);
  const tags = yaku.map(([name]) => sign(words, name));
  for (const kind of ["hiki", "pass"]) if (kind in move.action) tags.push(words.ui(`${kind}_tag`));
  if (isBest) tags.push("!!");
  const marks = tags.map((tag) => `<i>${safe(tag)}</i>`).join(" ");
  return `<span class="rp-row" aria-hidden="true"><span class="rp-who">${view.emblem(move.seat)} ${safe(view.words.name(move.seat))}${marks && ` <span>${marks}</span>`}</span>`
    + `<span class="rp-cards">${cards.map((each) => half(view, each)).join("")}</span>${gain > 0 ? `<span class="rp-gain">+${gain}</span>` : ""}</span>`;
}

/** The moves of a deal, each a link. best: "deal.move" of the best moments. */
export function moves(view, number_, link, best) {
  const deal = view.replay.deals[number_ - 1];
  return [null, ...deal.moves].map((move, i) => {
    const said = (isFull) => safe(view.words.at({ deal: number_, move: i }, isFull));
    const over = i === deal.moves.length && deal.score.length ? ` <small>${safe(view.words.scores(deal))}</small>` : "";
    const cards = move ? halves(move) : [];
    const inner = cards.length || move?.action.pass
      ? `${row(view, deal, i, cards, best.includes(`${number_}.${i}`))}<span class="sr">${said(true)}</span>` : `<span class="rp-said">${move ? `${view.emblem(move.seat)} ` : ""}${said(false)}${over}</span>`;
    return `<li${move ? ` class="${view.colour(move.seat)}"` : ""}><a href="${safe(link({ deal: number_, move: i }))}" data-move="${i}"><span class="rp-n">${i}</span> ${inner}</a></li>`;
  }).join("");
}

/** A side's yaku that brought points, or cost others some. */
function counted({ penalty, words, tables, now }, deal, side) {
  const isOwn = ({ yaku, side: own, by, v }) => yaku && side === ((by ?? null) === null || v > 0 ? own : by);
  const made = penalty === undefined ? deal.lines.filter(isOwn).map((line) => [line.yaku, line]) : words.made([], now.trays[side]).map((name) => [name]);
  return [...new Map(made)]
    .map(([name, { v, by } = {}]) => [sign(words, name), cardsOf(tables, name, v, now.trays[side]), v > 0 && (by ?? -1) < 0 ? ` +${number(v)}` : "", words.book.signs[name]])
    .filter(([, cards]) => cards.length);
}

/** worth: its points, which say if a card of two kinds was counted. */
function cardsOf({ counted: of, kinds, yaku, besides }, name, worth, tray) {
  if (!of[name]) return (yaku[name] ?? []).every((card) => tray.includes(card)) ? yaku[name] ?? [] : [];
  const [kind, free] = of[name];
  const doubtful = besides.filter((card) => tray.includes(card));
  const own = tray.filter((card) => kinds[card] === kind && !doubtful.includes(card));
  return [...own, ...doubtful.slice(0, free === null ? 0 : Math.max(free + worth - own.length, 0))].sort();
}

/** The card that stands on the field after a deal's last move; empty anywhere else. */
export function ending(view) {
  const { replay, words, spot, now } = view;
  const deal = replay.deals[spot.deal - 1];
  if (spot.move < deal.moves.length || !deal.score.length) return "";
  const { end, rank } = replay.result;
  const isMatch = end && spot.deal === replay.deals.length;
  const sides = isMatch ? [...rank.keys()].filter((side) => rank[side] === 1) : deal.winner === null ? [] : [replay.sides[deal.winner]];
  const key = isMatch ? (sides.length === 1 ? "match_won" : "match_shared") : sides.length ? "deal_by" : "deal_even";
  const title = view.ui(key, { who: words.listed(sides.map((side) => sideName(replay, side))), number: deal.number });
  const head = (word) => `<th scope="col">${view.ui(word)}</th>`;
  const order = isMatch ? rank : deal.score.map((score) => -score);
  const told = [...order.keys()].filter((side) => isMatch || !view.playing.length || view.playing.includes(first(view, side)));
  const isPaid = deal.lines.some(({ code, by }) => code !== "opp_yaku" && (by ?? -1) >= 0);
  let most = 0;
  const lines = told.sort((a, b) => order[a] - order[b]).map((side) => {
    const sets = isMatch || told.length > MANY ? [] : counted(view, deal, side);
    most = Math.max(most, sets.length);
    const parts = words.parts(deal, side, isPaid && view.penalty !== undefined && now.trays[side].length ? [words.ui("pts", { points: number(view.standing(side)) })] : []);
    const fans = sets.map(([name, cards, gain, isSign]) => {
      const own = isSign || !parts.some((part) => part.includes(name)) ? `<span>${safe(name)}</span>` : "";
      const fan = `<span class="rp-kind">${own}${cards.map((card) => view.small(card)).join("")}</span>`;
      return gain ? `<span class="rp-named"><small>${safe(name)}${gain}</small>${fan}</span>` : fan;
    }).join("");
    const isAbove = (part) => sets.some(([name, , gain]) => gain && part.includes(name));
    const said = parts.map((part) => `<span${isAbove(part) ? ' class="sr"' : ""}>${safe(part)}</span>`).join("");
    const how = (parts[0] && `<span>${said}</span>`) + (fans && `<span class="rp-sets" aria-hidden="true">${fans}</span>`);
    const figures = `<td class="how">${how}</td>${[deal.score[side], view.figures[side]].map((each) => `<td>${safe(number(each))}</td>`).join("")}`;
    const seat = first(view, side);
    return `<tr class="s${seat}${sides.includes(side) ? " won" : ""}"><th scope="row">${view.mark(seat)} ${safe(sideName(replay, side))}</th>${figures}</tr>`;
  });
  const fan = isMatch && sides.length === 1 ? view.kinds(now.trays[sides[0]]).flatMap(([, cards]) => cards).slice(0, FAN) : [];
  const laurel = fan.map((card) => view.small(card, "fan")).join("");
  const seen = spot.view ? `&amp;s=${spot.view}` : "";
  const next = !isMatch && spot.deal < replay.deals.length ? `<a class="rp-onward" href="?d=${spot.deal + 1}&amp;m=0${seen}#replay" data-go="down">${view.ui("next_deal")} →</a>` : "";
  return `<div class="rp-end${isMatch ? " match" : ""} n${told.length} yaku${Math.min(most, MANY)}">${laurel && `<p class="rp-laurel" aria-hidden="true">${laurel}</p>`}<h4>${title}</h4><table><thead><tr><td></td><td></td>${head("deal")}${head(view.byVictories ? "deals_won" : "sum")}</tr></thead><tbody>${lines.join("")}</tbody></table>${next}</div>`;
}

/** What rises when a move makes a yaku. */
export function moment(view, made) {
  const { yaku, kana } = view.words.book;
  const sets = made.map(([name, side]) => {
    const cards = cardsOf(view.tables, name, 0, view.now.trays[side]);
    return `<div><p>${cards.map((card) => view.small(card)).join("")}</p><strong>${safe(yaku[name] ?? name)}</strong></div>`;
  });
  return `<b class="rp-kana">${safe(kana[made[0][0]] ?? "")}</b>${sets.join("")}`;
}
