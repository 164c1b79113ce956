'use strict';
// What is in the report, and which part of it is asked for. Everything here is text; `make` puts it into the page as text.

const report = JSON.parse(document.getElementById('data').textContent);

const FIELDS = ['show', 'testee', 'class', 'verdict', 'rule', 'q'];

// What the fragment of the address asks for.
function asked() {
  const given = new URLSearchParams(location.hash.slice(1));
  const wanted = { case: given.get('case') || '' };
  for (const field of FIELDS) wanted[field] = given.get(field) || '';
  return wanted;
}

// The fragment that asks for this.
function fragment(wanted) {
  const given = new URLSearchParams();
  for (const field of ['case', ...FIELDS]) if (wanted[field]) given.set(field, wanted[field]);
  return '#' + given.toString();
}

// Where the results of a rule are.
function addressOf(rule) {
  return fragment({ rule });
}

const SHOW = [
  ['', 'What fails', (row) => row.fails],
  ['all', 'Everything', () => true],
  ...report.buckets.map(([key, name]) => [key, sentence(name), (row) => row.groups.some((group) => group.bucket === key)]),
];

function verdictOf(name) {
  return report.verdicts[name] || { tone: '', meaning: '', rank: 0 };
}

// What is empty was left out.
for (const group of report.rows.flatMap((row) => row.groups)) {
  for (const field of ['reasons', 'broken', 'lost', 'failures', 'flaky']) group[field] = group[field] || [];
}

for (const row of report.rows) {
  row.fails = row.groups.some((group) => !group.ok);
  // The worst comes first.
  row.worst = row.groups[0];
}

// Where texts are looked for; made when somebody first looks.
function haystack(row) {
  if (row.haystack === undefined) {
    const about = report.cases[row.case];
    const parts = [about.id, about.title, report.testees[row.testee].name, report.classes[about.class]];
    for (const [text, , happened] of about.sources) parts.push(text, happened ?? '');
    for (const group of row.groups) {
      parts.push(group.verdict, report.dialects[group.from], ...group.lost, ...group.failures);
      for (const target of group.to) parts.push(report.targets[target]);
      for (const [rule, pointer, message] of group.broken) parts.push(rule, pointer, message);
    }
    row.haystack = parts.join('\n').toLowerCase();
  }
  return row.haystack;
}

// The rows that are asked for, in the order of the report.
function rowsOf(wanted) {
  const show = (SHOW.find(([key]) => key === wanted.show) || SHOW[0])[2];
  const words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
  return report.rows.filter((row) =>
    show(row)
    && (!wanted.testee || report.testees[row.testee].name === wanted.testee)
    && (!wanted.class || report.classes[report.cases[row.case].class] === wanted.class)
    && (!wanted.verdict || row.groups.some((group) => group.verdict === wanted.verdict))
    && (!wanted.rule || row.groups.some((group) => group.broken.some(([rule]) => rule === wanted.rule)))
    && words.every((word) => haystack(row).includes(word)));
}

// The first few targets, and how many more there are.
function targetsOf(group, most) {
  const names = group.to.map((target) => report.targets[target]);
  if (names.length <= most) return names.join(', ');
  return names.slice(0, most).join(', ') + ' and ' + (names.length - most) + ' more';
}

function tagOf(group) {
  const bucket = report.buckets.find(([key]) => key === group.bucket);
  return bucket && make('span', { class: 'tag ' + bucket[2] }, bucket[1]);
}
