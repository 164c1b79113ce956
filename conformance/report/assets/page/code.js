'use strict';
// Lines of a text, with what differs and what is said at them. Each page says by `addressOf` where a rule is.

const FOLD = 4;

// Lines of a text, each with its sign in front: in both, gone, new.
function code(doc, label, keep) {
  const box = make('div', { class: 'code', role: 'group', 'aria-label': label });
  if (!doc) return box;
  const pins = new Map();
  for (const [at, text, rule] of doc.marks) pins.set(at, [...(pins.get(at) || []), [text, rule]]);
  const all = doc.text.split('\n').map((text, at) => ({ sign: text[0], text: text.slice(1), pins: pins.get(at) || [] }));
  const lines = all.filter((line) => keep === undefined || line.sign === ' ' || line.sign === '~' || line.sign === keep);
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
  // What is not here cannot be unfolded.
  if (one.sign === '~') return [make('span', { class: 'ln fold' }, '… ' + one.text)];
  const name = !signed || one.sign === ' ' ? 'span' : one.sign === '-' ? 'del' : 'ins';
  const kind = !signed || one.sign === ' ' ? '' : one.sign === '-' ? ' gone' : ' new';
  const element = make(name, { class: 'ln' + kind + (one.pins.length ? ' marked' : ''), 'data-sign': signed && one.sign !== ' ' ? (one.sign === '-' ? '−' : '+') : null },
    ...(parts || [one.text || ' ']));
  // What does not fit goes on a little to the right of where the line begins.
  const indent = one.text.length - one.text.trimStart().length + 2;
  element.style.paddingInlineStart = 'calc(1.7rem + ' + indent + 'ch)';
  element.style.textIndent = -indent + 'ch';
  const pins = one.pins.map(([text, rule]) =>
    make('span', { class: 'pin' }, rule ? make('a', { href: addressOf(rule) }, rule) : '', rule && text ? ': ' : '', text));
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
