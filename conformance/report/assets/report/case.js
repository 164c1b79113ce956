'use strict';
// One case: what was reported, what goes in, and what each testee made of it.

// What was expected beside what came, or one of them alone.
function answer(group) {
  if (group.doc === undefined) return [];
  const doc = report.docs[group.doc];
  const of = report.targets[group.of];
  if (!group.beside) {
    return [make('div', { class: 'views' }, make('p', { class: 'faint' }, 'What came out for ' + of)), code(doc, 'What came out')];
  }
  const [name, note] = report.beside[group.beside];
  const holder = make('div', {});
  const views = [['Difference', undefined], [sentence(name), '-'], ['What came out', '+']];
  const show = (at) => {
    buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === at)));
    holder.replaceChildren(code(doc, views[at][0], views[at][1]));
  };
  const buttons = views.map(([label], at) => make('button', { type: 'button', class: 'quiet', onclick: () => show(at) }, label));
  show(0);
  return [
    make('div', { class: 'views', role: 'group', 'aria-label': 'What is shown' }, ...buttons,
      make('p', { class: 'legend faint' }, 'For ' + of + ': ', make('del', {}, '− ' + name), ' ', make('ins', {}, '+ what came out'))),
    note && make('p', { class: 'faint' }, note),
    holder,
  ];
}

// What a model should be told, beside what it is told.
function conversations(group) {
  const lines = group.conversations;
  if (!lines) return [];
  const cell = (own, other, name) => make('td', { class: own === other ? '' : own ? name : 'none' }, own);
  const rows = [];
  for (const line of lines) {
    if (line.before) rows.push(make('tr', { class: 'skipped' }, make('td', { colspan: '2' }, '… ' + line.before + (line.before === 1 ? ' equal line' : ' equal lines'))));
    rows.push(make('tr', {}, cell(line.expected, line.told, 'gone'), cell(line.told, line.expected, 'new')));
  }
  return [make('p', { class: 'faint' }, 'Lines may differ in form and not count; what counts is listed above.'),
    make('div', { class: 'conversations', tabindex: 0, role: 'group', 'aria-label': 'Both conversations' },
    make('table', {},
      make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'What the model should be told'), make('th', { scope: 'col' }, 'What it is told'))),
      make('tbody', {}, ...rows)))];
}

function groupOf(group, row) {
  const about = verdictOf(group.verdict);
  const heading = make('h3', {},
    make('span', { class: 'verdict ' + about.tone }, group.verdict), tagOf(group),
    make('small', {}, report.dialects[group.from] + ' → ' + targetsOf(group, group.ok ? 4 : 12)));
  const allowed = group.allowed_by && make('p', { class: 'faint' }, 'Differences that do not count: ' + group.allowed_by.join(', ') + '.');
  if (group.ok && !group.flaky.length && !group.was) return make('div', { class: 'group fine' }, heading, make('p', { class: 'faint' }, about.meaning), allowed);
  const reasons = group.broken.map(([rule, pointer, message]) => make('li', {},
    make('p', {}, report.rules[rule] ? make('a', { href: fragment({ rule }) }, rule) : rule, ' at ', make('code', {}, pointer || 'the whole'), ': ', message),
    report.rules[rule] && make('p', { class: 'faint' }, report.rules[rule])));
  for (const lost of group.lost) reasons.push(make('li', {}, make('p', {}, 'Lost: ', make('code', {}, lost))));
  for (const failure of group.failures) reasons.push(make('li', {}, make('p', {}, failure)));
  if (group.flaky.length) reasons.push(make('li', { class: 'odd' }, make('p', {}, 'Flaky: asked again, it was ' + group.flaky.join(' and ') + '.')));
  if (group.was) reasons.push(make('li', { class: 'odd' }, make('p', {}, 'In the earlier run: ' + group.was)));
  if (group.domain) reasons.push(make('li', { class: 'odd' }, make('p', {}, 'This is not the fault of the testee: ' + group.domain)));
  if (!row.scored) reasons.push(make('li', { class: 'odd' }, make('p', {}, 'This case is not of the suite, so it fails nothing.')));
  return make('div', { class: 'group' }, heading,
    make('p', { class: 'faint' }, about.meaning),
    group.ok && allowed,
    reasons.length ? make('ul', { class: 'reasons' }, ...reasons) : '',
    group.input !== undefined && make('details', {},
      make('summary', {}, 'What was asked of it: the case in ' + report.dialects[group.from]), code(report.docs[group.input], 'What was asked')),
    ...conversations(group),
    ...answer(group));
}

function blockOf(row) {
  const testee = report.testees[row.testee];
  const about = report.cases[row.case];
  const command = 'wirecanon test --testee ' + testee.quoted + ' --case ' + about.id;
  return make('section', { class: 'block', 'aria-label': testee.name },
    make('h2', {}, testee.name, make('small', {}, testee.version || '')),
    ...row.groups.map((group) => groupOf(group, { scored: about.scored })),
    make('p', { class: 'again' }, make('span', { class: 'faint' }, 'Again:'), make('code', {}, command), copying(command, 'Copy the command')));
}

// The page of one case; `first` is the testee that stands first.
function caseOf(wanted, first) {
  const at = report.cases.findIndex((one) => one.id === wanted.case);
  const back = { ...wanted, case: '' };
  const rows = rowsOf(wanted);
  if (at < 0) {
    return [make('p', { class: 'way' }, make('a', { href: fragment(back) }, '← All results')),
      make('div', { class: 'about-case' }, make('h1', { tabindex: -1 }, 'This report has no case called ' + wanted.case + '.'))];
  }
  const about = report.cases[at];
  const place = rows.findIndex((row) => row.case === at && (!first || report.testees[row.testee].name === first));
  const step = (to, label, key) => {
    const row = place < 0 ? undefined : rows[to];
    if (!row) return '';
    const href = fragment({ ...wanted, case: report.cases[row.case].id }) + (wanted.testee ? '' : '&at=' + encodeURIComponent(report.testees[row.testee].name));
    return make('a', { href, 'data-key': key }, label);
  };
  const own = report.rows.filter((row) => row.case === at);
  own.sort((one, other) => (report.testees[other.testee].name === first) - (report.testees[one.testee].name === first));
  return [
    make('nav', { class: 'way', 'aria-label': 'Results' },
      make('a', { href: fragment(back), 'data-key': 'Escape' }, '← All results'),
      make('span', {}, step(place - 1, '← Previous', 'p'), place < 0 ? '' : make('span', { class: 'faint' }, (place + 1) + ' of ' + rows.length), step(place + 1, 'Next →', 'n'))),
    make('header', { class: 'about-case' },
      make('p', { class: 'eyebrow' }, make('a', { href: fragment({ class: report.classes[about.class] }) }, report.classes[about.class]), ' · ', make('code', {}, about.id)),
      make('h1', { tabindex: -1 }, about.title),
      about.sources.length ? make('p', { class: 'faint reported' }, 'Reported in') : '',
      about.sources.length ? make('ul', { class: 'sources' }, ...about.sources.map(([text, href, happened]) =>
        make('li', {}, href ? make('a', { href, rel: 'noreferrer noopener', target: '_blank' }, text) : text, happened ? ' ' : '', happened ? make('span', {}, happened) : ''))) : '',
      ...about.notes.map((note) => make('p', { class: 'faint' }, note))),
    about.input !== undefined && make('section', { class: 'block', 'aria-label': 'What goes in' },
      make('h2', {}, 'What goes in', make('small', {}, about.from === undefined ? '' : report.dialects[about.from])),
      code(report.docs[about.input], 'The input of the case')),
    ...own.map(blockOf),
  ].filter(Boolean);
}
