'use strict';
// What is shown follows the fragment of the address, so that every view is a link.

const pages = { overview: document.getElementById('overview'), case: document.getElementById('case') };
const filters = Object.fromEntries(FIELDS.map((field) => [field, document.getElementById('f-' + field)]));
let shown = null;
let scrolled = 0;
let last = '';

function option(value, label) {
  return make('option', { value }, label);
}

function fill() {
  filters.show.replaceChildren(...SHOW.map(([key, name, is]) => option(key, name + ' (' + report.rows.filter(is).length + ')')));
  const of = (field, names) => filters[field].replaceChildren(option('', 'All'), ...names.map((name) => option(name, name)));
  if (report.testees.length < 2) filters.testee.parentElement.hidden = true;
  of('testee', report.testees.map((testee) => testee.name));
  of('class', report.classes);
  of('verdict', Object.keys(report.verdicts));
  of('rule', Object.keys(report.rules).sort());
  document.getElementById('filters').hidden = false;
}

function overview(wanted) {
  const key = fragment({ ...wanted, case: '' });
  for (const field of FIELDS) {
    if (filters[field] === document.activeElement && field === 'q') continue;
    filters[field].value = wanted[field];
    // An address may ask for what this report has not.
    if (filters[field].value !== wanted[field]) {
      filters[field].append(option(wanted[field], wanted[field]));
      filters[field].value = wanted[field];
    }
  }
  if (shown === key) { list.draw(); return; }
  shown = key;
  const rows = rowsOf(wanted);
  const cases = new Set(rows.map((row) => row.case)).size;
  const of = FIELDS.some((field) => wanted[field]) ? ' of ' + report.rows.length.toLocaleString('en') : '';
  document.getElementById('count').textContent = rows.length === 0 ? 'No result' + of : plural(rows.length, 'result') + of + ', ' + plural(cases, 'case');
  list.set(rows, wanted);
}

function route() {
  const wanted = asked();
  const given = new URLSearchParams(location.hash.slice(1));
  const inCase = wanted.case !== '';
  if (inCase && !pages.overview.hidden) scrolled = window.scrollY;
  const left = !pages.case.hidden && !inCase;
  pages.overview.hidden = inCase;
  pages.case.hidden = !inCase;
  document.getElementById('skip').hidden = inCase;
  if (inCase) {
    pages.case.replaceChildren(...caseOf(wanted, given.get('at') || wanted.testee));
    const heading = pages.case.querySelector('h1');
    document.title = heading.textContent + ' – wirecanon';
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    last = wanted.case + '\n' + (given.get('at') || wanted.testee);
    return;
  }
  document.title = document.getElementById('heading').textContent + ' – wirecanon';
  const before = shown;
  overview(wanted);
  if (left && before === shown) {
    window.scrollTo(0, scrolled);
    list.draw();
    const [id, testee] = last.split('\n');
    const at = list.rows.findIndex((row) => report.cases[row.case].id === id && (!testee || report.testees[row.testee].name === testee));
    if (at >= 0) list.go(at);
  } else if (FIELDS.some((field) => wanted[field]) && !document.activeElement.closest('#filters')) {
    // Somebody came by a link of the page: the results are what it is about.
    const heading = document.getElementById('results-heading');
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
    list.draw();
  }
}

function go(wanted, replaces) {
  const to = fragment(wanted);
  if (replaces) { history.replaceState(null, '', to); route(); } else location.hash = to;
}

for (const field of FIELDS) {
  filters[field].addEventListener(field === 'q' ? 'input' : 'change', () => {
    go({ ...asked(), case: '', [field]: filters[field].value }, field === 'q');
  });
}
document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
document.getElementById('f-clear').addEventListener('click', () => {
  filters.q.value = '';
  go({}, true);
});
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  const heading = document.getElementById('results-heading');
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
});
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const writing = event.target.matches('input, select, textarea');
  if (event.key === 'Escape' && event.target === filters.q) { filters.q.blur(); return; }
  if (writing) return;
  if (event.key === '/' && !pages.overview.hidden) {
    event.preventDefault();
    filters.q.focus();
    filters.q.select();
    return;
  }
  const link = pages.case.hidden ? null : [...pages.case.querySelectorAll('[data-key]')].find((one) => one.dataset.key === event.key);
  if (link) { event.preventDefault(); link.click(); }
});

fill();
window.addEventListener('hashchange', route);
route();
