'use strict';
// One case: what was reported, what goes in, and what each testee made of it.

const FOLD = 4;

// Lines of a text, each with its sign in front: in both, gone, new.
function code(doc, label, keep) {
  const box = make('div', { class: 'code', role: 'group', 'aria-label': label });
  if (!doc) return box;
  const pins = new Map();
  for (const [at, text, rule] of doc.marks) pins.set(at, [...(pins.get(at) || []), [text, rule]]);
  const all = doc.text.split('\n').map((text, at) => ({ sign: text[0], text: text.slice(1), pins: pins.get(at) || [] }));
  const lines = all.filter((line) => keep === undefined || line.sign === ' ' || line.sign === keep);
  const differs = keep === undefined && lines.some((line) => line.sign !== ' ');
  const near = new Set();
  lines.forEach((line, at) => {
    if (line.sign === ' ' && line.pins.length === 0) return;
    for (let other = at - FOLD; other <= at + FOLD; other += 1) near.add(other);
  });
  const long = lines.length > 60 && near.size > 0;
  let at = 0;
  while (at < lines.length) {
    if ((differs || long) && !near.has(at)) {
      let end = at;
      while (end < lines.length && !near.has(end)) end += 1;
      if (end - at > 2) {
        box.append(folded(lines.slice(at, end)));
        at = end;
        continue;
      }
    }
    const pair = differs && lines[at].sign === '-' && lines[at + 1] && lines[at + 1].sign === '+' ? changed(lines[at].text, lines[at + 1].text) : null;
    if (pair) {
      box.append(...line(lines[at], pair[0], true), ...line(lines[at + 1], pair[1], true));
      at += 2;
    } else {
      box.append(...line(lines[at], null, keep === undefined));
      at += 1;
    }
  }
  return box;
}

function folded(lines) {
  const button = make('button', { type: 'button', class: 'fold', onclick: () => {
    const inside = lines.flatMap((one) => line(one, null, true));
    button.replaceWith(...inside);
    inside[0].tabIndex = -1;
    inside[0].focus({ preventScroll: true });
  } }, '… ' + lines.length + ' equal lines');
  return button;
}

function line(one, parts, signed) {
  const name = !signed || one.sign === ' ' ? 'span' : one.sign === '-' ? 'del' : 'ins';
  const kind = !signed || one.sign === ' ' ? '' : one.sign === '-' ? ' gone' : ' new';
  const element = make(name, { class: 'ln' + kind + (one.pins.length ? ' marked' : ''), 'data-sign': signed && one.sign !== ' ' ? (one.sign === '-' ? '−' : '+') : null },
    ...(parts || [one.text || ' ']));
  // What does not fit goes on a little to the right of where the line begins.
  const indent = one.text.length - one.text.trimStart().length + 2;
  element.style.paddingInlineStart = 'calc(1.7rem + ' + indent + 'ch)';
  element.style.textIndent = -indent + 'ch';
  const pins = one.pins.map(([text, rule]) =>
    make('span', { class: 'pin' }, rule ? make('a', { href: fragment({ rule }) }, rule) : '', rule && text ? ': ' : '', text));
  return [element, ...pins];
}

// Two lines of one key: the part between what is equal at their beginnings and their ends.
function changed(one, other) {
  const indent = (text) => text.length - text.trimStart().length;
  if (indent(one) !== indent(other)) return null;
  const most = Math.min(one.length, other.length);
  let begin = 0;
  while (begin < most && one[begin] === other[begin]) begin += 1;
  if (begin <= indent(one)) return null;
  let end = 0;
  while (end < most - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  const part = (text) => [text.slice(0, begin), make('b', {}, text.slice(begin, text.length - end)), text.slice(text.length - end)];
  return [part(one), part(other)];
}

function copying(text, label) {
  const button = make('button', { type: 'button', class: 'quiet', 'aria-label': label, onclick: async () => {
    let done = 'Copied';
    try { await navigator.clipboard.writeText(text); } catch { done = 'Not allowed here'; }
    button.textContent = done;
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  } }, 'Copy');
  return button;
}

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

function groupOf(group, row) {
  const about = verdictOf(group.verdict);
  const heading = make('h3', {},
    make('span', { class: 'verdict ' + about.tone }, group.verdict), tagOf(group),
    make('small', {}, report.dialects[group.from] + ' → ' + targetsOf(group, group.ok ? 4 : 12)));
  if (group.ok && !group.flaky.length && !group.was) return make('div', { class: 'group fine' }, heading, make('p', { class: 'faint' }, about.meaning));
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
    reasons.length ? make('ul', { class: 'reasons' }, ...reasons) : '',
    group.input !== undefined && make('details', {},
      make('summary', {}, 'What was asked of it: the case in ' + report.dialects[group.from]), code(report.docs[group.input], 'What was asked')),
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
      about.sources.length ? make('ul', { class: 'sources' }, ...about.sources.map(([text, href]) =>
        make('li', {}, href ? make('a', { href, rel: 'noreferrer noopener', target: '_blank' }, text) : text))) : '',
      ...about.notes.map((note) => make('p', { class: 'faint' }, note))),
    about.input !== undefined && make('section', { class: 'block', 'aria-label': 'What goes in' },
      make('h2', {}, 'What goes in', make('small', {}, about.from === undefined ? '' : report.dialects[about.from])),
      code(report.docs[about.input], 'The input of the case')),
    ...own.map(blockOf),
  ].filter(Boolean);
}
