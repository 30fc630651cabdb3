const one = key => document.querySelector(key), all = key => [...document.querySelectorAll(key)];
const body = one("tbody"), rows = [...body.rows], text = one("#filter"), picks = all("select");
const fold = one("#fold"), count = one("output"), heads = all("thead th");
const plain = words => words.toLowerCase().replaceAll("−", "-").trim();
const content = new Map(rows.map(row =>
  [row, plain([...row.cells].map(cell => cell.textContent).join("\t"))]));
const texts_of = pick => JSON.parse(pick.selectedOptions[0].dataset.any ?? "null") ?? [pick.value];
let open = false;
function show() {
  const words = plain(text.value).split(/\s+/);
  const asked = picks.filter(pick => pick.value).map(pick => [pick.dataset.column, texts_of(pick)]);
  const chosen = asked.some(([, texts]) => texts.some(text => text.startsWith("not run")));
  const unfolded = open || chosen;
  let seen = 0, away = 0;
  for (const row of rows) {
    const fits = words.every(word => content.get(row).includes(word))
      && asked.every(([column, texts]) => texts.includes(row.cells[column].dataset.pick));
    const folded = "folded" in row.dataset;
    row.hidden = !fits;
    if (fits && folded) away += 1;
    if (fits && (unfolded || !folded)) seen += 1;
  }
  one("table").classList.toggle("folding", !unfolded);
  count.value = `${seen} of ${rows.length} rows`;
  fold.hidden = !away || chosen;
  fold.setAttribute("aria-expanded", open);
  fold.textContent = open ? "Fold not run" : `Show not run (${away})`;
}
function value(row, column, numeric) {
  const cell = row.cells[column];
  return numeric ? parseFloat(cell.dataset.n ?? "NaN") : cell.textContent.trim();
}
function sort(column) {
  const head = heads[column], numeric = head.classList.contains("r");
  const next = { none: "ascending", ascending: "descending", descending: "none" };
  const order = next[head.getAttribute("aria-sort")];
  const missing = key => numeric ? Number.isNaN(key) : key === "";
  for (const other of heads) other.setAttribute("aria-sort", other === head ? order : "none");
  const sign = order === "descending" ? -1 : 1;
  const sorted = order === "none" ? rows : [...rows].sort((one, two) => {
    const [a, b] = [value(one, column, numeric), value(two, column, numeric)];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (numeric) return a === b ? 0 : sign * (a < b ? -1 : 1);
    return sign * a.localeCompare(b, "en", { numeric: true });
  });
  body.append(...sorted);
}
heads.forEach((head, column) => head.firstChild.addEventListener("click", () => sort(column)));
text.addEventListener("input", show);
for (const pick of picks) pick.addEventListener("change", show);
fold.addEventListener("click", () => { open = !open; show(); });
const box = one(".wide");
function choose() {
  const spot = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!spot?.dataset.picks) return;
  const chosen = JSON.parse(spot.dataset.picks);
  text.value = "";
  for (const pick of picks) pick.value = chosen[pick.dataset.column] ?? "";
  show();
  requestAnimationFrame(() => { box.scrollTop = 0; scrollTo(0, 0); });
}
addEventListener("hashchange", choose);
addEventListener("load", choose);
show();
const above = () => box.style.setProperty("--above", `${box.offsetTop}px`);
addEventListener("resize", above);
above();
choose();
