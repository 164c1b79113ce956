'use strict';
// Faults and changes: what was found in a session and what was done about it, each with its places and its reasons.

// Where the cases of a rule are.
function addressOf(rule) {
  return '/corpus?q=' + encodeURIComponent(rule);
}

const KINDS = {
  broken: { tone: 'bad', name: 'broken', title: 'Broken rules' },
  mend: { tone: 'good', name: 'mended', title: 'Mended' },
  adapt: { tone: '', name: 'adapted', title: 'Adapted' },
  ambiguous: { tone: 'odd', name: 'ambiguous', title: 'Ambiguous' },
  loss: { tone: 'bad', name: 'lost', title: 'Lost' },
  note: { tone: '', name: 'note', title: 'Notes' },
  error: { tone: 'bad', name: 'error', title: 'Error' },
};

// Which one of many a text is.
function nameOf(text) {
  return [text.session && 'session on line ' + text.session, text.number && 'transcript ' + text.number].filter(Boolean).join(', ');
}

// Everything that is said of a session, in the order of the text.
function faultsOf(checked, fixed) {
  const faults = [];
  const session = (text) => { const name = nameOf(text); return name ? name + ', ' : ''; };
  for (const text of checked ? checked.texts : []) {
    for (const one of text.violations) {
      faults.push({ kind: 'broken', rule: one.rule, message: one.message, pointer: one.pointer, where: session(text), source: { line: one.line, column: one.column, range: one.range } });
    }
  }
  for (const text of fixed ? fixed.texts : []) {
    const add = (list, places) => list.forEach((one, at) => faults.push({
      kind: one.lost ? 'loss' : one.severity, rule: one.rule, message: one.message, pointer: one.in, out: one.out, original: one.original,
      where: session(text), source: places[at].in, mended: places[at].out,
    }));
    add(text.report.repairs, text.places.repairs);
    add(text.report.notes, text.places.notes);
  }
  const start = (fault) => (fault.source && fault.source.range ? fault.source.range[0] : fault.source ? 0 : Infinity);
  const rank = (fault) => (fault.kind === 'note' ? 1 : 0);
  return faults.map((fault, at) => [fault, at])
    .sort(([one, at], [other, then]) => rank(one) - rank(other) || (start(one) === start(other) ? at - then : start(one) - start(other)))
    .map(([fault]) => fault);
}

// Marks of a text: one for each place, whatever is said there.
function marksOf(faults, side) {
  const marks = new Map();
  for (const fault of faults) {
    const place = fault[side];
    if (!place || !place.range || fault.kind === 'note') continue;
    const key = place.range.join('-');
    if (!marks.has(key)) marks.set(key, { range: place.range, faults: [], line: place.line });
    marks.get(key).faults.push(fault);
  }
  const all = [...marks.values()].sort((one, other) => one.range[0] - other.range[0] || other.range[1] - one.range[1]);
  for (const mark of all) {
    const kinds = mark.faults.map((fault) => fault.kind);
    mark.tone = side === 'mended' ? 'good' : kinds.some((kind) => KINDS[kind].tone === 'bad') ? 'bad' : 'odd';
    mark.label = 'Line ' + mark.line + ': ' + [...new Set(mark.faults.map((fault) => fault.rule || fault.message))].join(', ');
    for (const fault of mark.faults) fault[side + 'Mark'] = mark;
  }
  return all;
}

function cut(text, most) {
  return text.length <= most ? text : text.slice(0, most * 0.8) + ' …[' + (text.length - most).toLocaleString('en') + ' more]… ' + text.slice(text.length - most * 0.2);
}

// Why: the rule, where that is said, what servers answer, what stood there.
function whyOf(fault, rules, actions) {
  const rule = rules[fault.rule];
  // As it stands in the text: a number that was parsed may have lost digits.
  const original = fault.original === null || fault.original === undefined || !fault.source || !fault.source.range ? null : actions.given(fault.source.range);
  return make('div', { class: 'why' },
    rule && make('p', {}, rule.statement),
    fault.hint && make('p', {}, sentence(fault.hint) + '.'),
    make('dl', {},
      make('div', {}, make('dt', {}, 'Place'), make('dd', {}, fault.where, make('code', {}, placeOf(fault)))),
      fault.kind === 'loss' && make('div', {}, make('dt', {}, 'Lost'), make('dd', {}, sentence(fault.message) + '. It is in no form in the mended text.')),
      original && make('div', {}, make('dt', {}, 'It was'), make('dd', {}, make('code', { class: 'was' }, visible(cut(original, 600))))),
      fault.out !== undefined && fault.out !== null && make('div', {}, make('dt', {}, 'It became'), make('dd', {},
        fault.mendedMark ? make('button', { type: 'button', class: 'quiet', onclick: () => actions.mended(fault) }, 'Show it in the mended text') : '',
        ' ', make('code', {}, fault.out || 'the whole'))),
      rule && rule.errors.length > 0 && make('div', {}, make('dt', {}, 'Servers say'), make('dd', {}, ...rule.errors.map((error) => make('p', {}, error)))),
      rule && rule.citations.length > 0 && make('div', {}, make('dt', {}, 'Sources'), make('dd', {}, make('ul', { class: 'sources' }, ...rule.citations.map(([text, href]) =>
        make('li', {}, href ? make('a', { href, rel: 'noreferrer noopener', target: '_blank' }, text) : text)))))),
    rule && make('p', {}, make('a', { href: addressOf(fault.rule) }, 'Cases of this rule in the corpus'), ' · ', make('code', {}, rule.class)));
}

function placeOf(fault) {
  if (fault.pointer === null || fault.pointer === undefined) return fault.source ? 'line ' + fault.source.line : '(added)';
  return fault.pointer === '' ? '(the whole)' : visible(fault.pointer);
}

// One row of the list.
function rowOf(fault, number, rules, actions) {
  const kind = KINDS[fault.kind] || KINDS.note;
  const place = fault.source ? fault.source.line + ':' + fault.source.column : fault.kind === 'note' ? '' : 'added';
  const button = make('button', { type: 'button', class: 'fault', 'aria-expanded': 'false', onclick: () => actions.choose(fault, true) },
    make('span', { class: 'verdict ' + kind.tone }, kind.name),
    make('span', { class: 'at mono' }, place),
    make('span', { class: 'what' }, fault.rule && make('b', {}, fault.rule), fault.rule && ' ', visible(cut(fault.message, 400))));
  const item = make('li', { 'data-kind': fault.kind }, button);
  fault.item = item;
  fault.button = button;
  fault.open = (open) => {
    button.setAttribute('aria-expanded', String(open));
    item.classList.toggle('open', open);
    if (open && !item.querySelector('.why')) item.append(whyOf(fault, rules, actions));
    if (!open) { const why = item.querySelector('.why'); if (why) why.remove(); }
  };
  return item;
}
