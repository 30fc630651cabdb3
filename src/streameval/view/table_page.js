const first = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const body = first("tbody"), rows = [...body.rows], heads = all("thead th");
const filter = first("#filter"), selects = all("select");
const foldButton = first("#fold"), count = first("output");
const normalised = text => text.toLowerCase().replaceAll("−", "-").trim();
const rowTexts = new Map(rows.map(row =>
  [row, normalised([...row.cells].map(cell => cell.textContent).join("\t"))]));
// The option of a group of verdicts has these in its attribute data-any.
const acceptedTexts = select =>
  JSON.parse(select.selectedOptions[0].dataset.any ?? "null") ?? [select.value];
let isOpen = false;
function show() {
  const words = normalised(filter.value).split(/\s+/);
  const conditions = selects.filter(select => select.value)
    .map(select => [select.dataset.column, acceptedTexts(select)]);
  const asksForNotRun =
    conditions.some(([, texts]) => texts.some(text => text.startsWith("not run")));
  const isUnfolded = isOpen || asksForNotRun;
  let visibleRows = 0, notRunRows = 0;
  for (const row of rows) {
    const matches = words.every(word => rowTexts.get(row).includes(word))
      && conditions.every(([column, texts]) => texts.includes(row.cells[column].dataset.pick));
    const isNotRun = "folded" in row.dataset;
    row.hidden = !matches;
    if (matches && isNotRun) notRunRows += 1;
    if (matches && (isUnfolded || !isNotRun)) visibleRows += 1;
  }
  first("table").classList.toggle("folding", !isUnfolded);
  count.value = `${visibleRows} of ${rows.length} rows`;
  foldButton.hidden = !notRunRows || asksForNotRun;
  foldButton.setAttribute("aria-expanded", isOpen);
  foldButton.textContent = isOpen ? "Fold not run" : `Show not run (${notRunRows})`;
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
  const sorted = order === "none" ? rows : [...rows].sort((rowA, rowB) => {
    const [a, b] = [value(rowA, column, numeric), value(rowB, column, numeric)];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    if (numeric) return a === b ? 0 : sign * (a < b ? -1 : 1);
    return sign * a.localeCompare(b, "en", { numeric: true });
  });
  body.append(...sorted);
}
heads.forEach((head, column) => head.firstChild.addEventListener("click", () => sort(column)));
filter.addEventListener("input", show);
for (const select of selects) select.addEventListener("change", show);
foldButton.addEventListener("click", () => { isOpen = !isOpen; show(); });
const box = first(".wide");
// Show only the rows of the anchor at the end of the address.
function showAnchor() {
  const anchor = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!anchor?.dataset.picks) return;
  const choices = JSON.parse(anchor.dataset.picks);
  filter.value = "";
  for (const select of selects) select.value = choices[select.dataset.column] ?? "";
  show();
  requestAnimationFrame(() => { box.scrollTop = 0; scrollTo(0, 0); });
}
addEventListener("hashchange", showAnchor);
addEventListener("load", showAnchor);
show();
// The style limits the height of the table to what is below this offset.
const measureOffset = () => box.style.setProperty("--above", `${box.offsetTop}px`);
addEventListener("resize", measureOffset);
measureOffset();
showAnchor();
