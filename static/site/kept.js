// What this browser keeps; where storage is not allowed, nothing.
function tried(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

export const kept = (name) => tried((store) => store.getItem(name));
export const keptNames = () => tried(Object.keys) ?? [];
export const forget = (name) => tried((store) => store.removeItem(name));
/** Whether there is room for it. */
export const keep = (name, value) => tried((store) => { store.setItem(name, value); return true; }) ?? false;
