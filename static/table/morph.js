// Changes what differs: a card that stays, forty paths, stays as built.

const key = (node) => node.dataset?.card || node.id || "";

export function parsed(markup) {
  const home = document.createElement("template");
  home.innerHTML = markup;
  return home.content;
}

export function become(old, fresh) {
  const keys = new Set([...fresh.children].map(key));
  let at = old.firstChild;
  const drop = () => { const gone = at; at = at.nextSibling; gone.remove(); };
  for (const next of [...fresh.childNodes]) {
    while (at && (key(at) ? !keys.has(key(at)) : at.nodeName !== next.nodeName)) drop();
    if (at?.nodeName === next.nodeName && key(at) === key(next)) {
      same(at, next);
      at = at.nextSibling;
    } else old.insertBefore(next, at);
  }
  while (at) drop();
}

function same(old, next) {
  if (old.isEqualNode(next)) return;
  if (!old.attributes) { old.data = next.data; return; }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  become(old, next);
}
