// The address of the place that a replay shows, for the clipboard. Plain http and frames may not copy: then it is said.

export async function copy(viewer) {
  const url = location.origin + (viewer.dataset.page ?? location.pathname) + viewer.hash(viewer.spot);
  const said = await navigator.clipboard?.writeText(url).then(() => "copied", () => null);
  viewer.note(viewer.words.ui(said ?? "copy_by_hand"));
}
