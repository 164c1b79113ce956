'use strict';
// The page for sessions: what is given, what is asked about it, and what is shown of the answers. What is given goes to this machine
// alone, and is kept by nobody.

const $ = (id) => document.getElementById(id);
const limit = Number($('main').dataset.limit);
// More than this is not put into the field for texts, which no browser likes.
const EDITED = 2 << 20;

const state = { bytes: null, name: '', edited: true, asked: 0, faults: [], chosen: null, shown: 'all', fixed: null, text: '' };
const views = {
  source: new View($('source'), (mark) => toFault(mark)),
  mended: new View($('mended'), (mark) => toFault(mark)),
};

function say(text) {
  $('status').textContent = text;
}

function size(bytes) {
  if (bytes < 1000) return bytes + ' bytes';
  return bytes < 1e6 ? (bytes / 1e3).toFixed(1) + ' kB' : (bytes / 1e6).toFixed(1) + ' MB';
}

function options(more) {
  const given = new URLSearchParams({ from: $('from').value, for: $('for').value, ...more });
  if ($('redact').checked) given.set('redact', '1');
  if ($('call_id').value) given.set('call_id', $('call_id').value);
  return given;
}

async function post(what, given) {
  const answer = await fetch('/api/' + what + '?' + given, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: state.bytes });
  if (answer.headers.get('content-type') === 'application/octet-stream') return answer.blob();
  const told = await answer.json();
  if (told.error) throw Object.assign(new Error(told.error.message), { told: told.error });
  return told;
}

// Takes what was given. `text` is what stands in the field, where that is how it came.
function give(bytes, name, edited) {
  state.bytes = bytes;
  state.name = name;
  state.edited = edited;
  $('text').hidden = !edited;
  $('given').hidden = edited;
  $('name').textContent = name;
  $('size').textContent = size(bytes.length);
  $('call').hidden = true;
  $('call_id').value = '';
}

async function takeFile(file) {
  if (file.size > limit) {
    refuse(file.name + ' is too large', 'It has ' + size(file.size) + ', and this page takes ' + size(limit) + '. `wirecanon serve --limit MIB` takes more, and `wirecanon fix FILE` whatever fits into memory.');
    return;
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    refuse(file.name + ' cannot be read', 'It may be a folder, or it changed while it was read. Choose it again.');
    return;
  }
  give(bytes, file.name, false);
  look();
}

// Something that cannot be asked about at all.
function refuse(title, words) {
  state.asked += 1;
  say('');
  $('verdict').textContent = title + '.';
  $('read').textContent = words;
  for (const id of ['kinds', 'faults']) $(id).replaceChildren();
  document.querySelector('.panes').hidden = true;
  $('same').textContent = '';
  $('result').hidden = false;
  $('verdict').focus();
}

async function look() {
  if (state.edited) {
    const text = $('text').value;
    if (text.trim() === '') { say('There is nothing here yet: paste a session, or choose its file.'); $('text').focus(); return; }
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > limit) { refuse('This is too large', 'It has ' + size(bytes.length) + ', and this page takes ' + size(limit) + '.'); return; }
    state.bytes = bytes;
    state.name = state.name || 'session.json';
  }
  if (!state.bytes) { say('There is nothing here yet: paste a session, or choose its file.'); return; }
  state.asked += 1;
  const asked = state.asked;
  say('Looking …');
  $('result').setAttribute('aria-busy', 'true');
  remember();
  let fixed = null;
  let checked = null;
  let error = null;
  const to = $('to').value;
  try {
    fixed = await post('fix', options(to ? { to } : {}));
  } catch (caught) {
    error = caught;
  }
  try {
    // What was given is judged by the rules of the target where it is of the same dialect, and else by those of its own.
    const from = fixed ? fixed.texts[0].report.from : $('from').value;
    const option = [...$('to').options].find((one) => one.value === to);
    const rules = to && option && (option.dataset.dialect || '') === from ? to : from === 'auto' ? '' : from;
    checked = await post('check', options(rules ? { to: rules } : {}));
  } catch (caught) {
    error = error || caught;
  }
  if (asked !== state.asked) return;
  $('result').removeAttribute('aria-busy');
  say('');
  show(checked, fixed, error);
}

function show(checked, fixed, error) {
  state.fixed = fixed;
  state.chosen = null;
  const rules = { ...(checked ? checked.rules : {}), ...(fixed ? fixed.rules : {}) };
  const faults = faultsOf(checked, fixed);
  if (error) faults.unshift(ofError(error));
  state.faults = faults;
  state.text = fixed && fixed.source !== null ? fixed.source : $('redact').checked || (checked && checked.stream) ? '' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(state.bytes);
  document.querySelector('.panes').hidden = false;
  $('result').hidden = false;
  $('other').hidden = false;
  const marks = [marksOf(faults, 'source'), marksOf(faults, 'mended')];
  tell(checked, fixed, error, faults);
  kinds(faults);
  $('faults').replaceChildren(...faults.map((fault, at) => rowOf(fault, at, rules, actions)));
  filter('all');
  $('back').hidden = true;
  views.source.set(state.text, marks[0]);
  $('source-size').textContent = plural(views.source.lineCount || 1, 'line') + ', ' + size(state.bytes.length);
  $('mended-pane').hidden = !fixed;
  document.querySelector('.panes').classList.toggle('alone', !fixed);
  if (fixed) {
    views.mended.set(fixed.output, marks[1]);
    const docs = fixed.texts.filter((text) => text.diff);
    const why = fixed.texts.map((text) => text.why).find(Boolean);
    const laid = (label, keep) => docs.flatMap((text) => [
      (text.session || text.number) && make('p', { class: 'faint' }, sentence(nameOf(text))), code(text.diff, label, keep)].filter(Boolean));
    $('diff').replaceChildren(...laid('What differs'));
    $('laid').replaceChildren(...laid('The mended text', '+'));
    $('why').textContent = docs.length ? '' : why || '';
    const own = fixed.texts.every((text) => text.report.from === dialectOf(text.report.to));
    for (const id of ['as-diff', 'as-laid']) $(id).disabled = docs.length === 0;
    as(docs.length === 0 ? 'text' : own ? 'diff' : 'laid');
    $('mended-size').textContent = size(new TextEncoder().encode(fixed.output).length);
    $('download').textContent = $('redact').checked ? 'Download, redacted' : 'Download';
  }
  $('verdict').focus({ preventScroll: true });
  $('result').scrollIntoView({ block: 'start' });
}

function ofError(error) {
  const told = error.told || { kind: 'network', message: 'no answer came: is `wirecanon serve` still running?' };
  if (told.kind === 'needs-call-id') $('call').hidden = false;
  const hint = told.kind === 'undetected' ? 'say above as which dialect it is to be read' : told.kind === 'needs-call-id' ? 'say above which call it answers' : told.hint;
  return {
    kind: 'error', rule: '', message: told.message, pointer: told.pointer, hint, where: told.session ? 'session on line ' + told.session + ', ' : '',
    source: told.line ? { line: told.line, column: told.column, range: told.range } : null,
  };
}

function dialectOf(target) {
  const option = [...$('to').options].find((one) => one.value === target);
  return option ? option.dataset.dialect : target;
}

const TITLES = {
  empty: 'There is nothing here', 'not-json': 'This is not JSON', truncated: 'This JSON ends too early', 'too-deep': 'This is nested too deep',
  'too-large': 'This is too large', 'not-a-transcript': 'This is JSON, but no session', undetected: 'This could be of several dialects',
  'needs-call-id': 'A lone result needs the call that it answers', 'unsupported-conversion': 'This cannot be written there', 'not-woven': 'The file has no place for what is mended', network: 'No answer came',
};

const TO_DO = {
  empty: 'Give a session of at least one message.',
  'not-json': 'Mend the text there, or give the file that it was copied from: JSON, or JSON Lines.',
  truncated: 'Give the whole of it: it was cut while it was written or copied.',
  'too-deep': 'No provider takes this; whatever wrote it ran in circles.',
  'not-a-transcript': 'Give a list of messages, an object that holds one, or a message a line; or say above as which dialect it is to be read.',
  undetected: 'Say above as which dialect it is to be read.',
  'needs-call-id': 'Say above which call it answers.',
  'unsupported-conversion': 'Choose another target above.',
  'not-woven': 'Choose a target above: then the messages alone are written.',
  network: 'Look whether it still runs, and look at the session again.',
};

// What came of it, in a sentence.
function tell(checked, fixed, error, faults) {
  if (error) {
    const kind = error.told ? error.told.kind : 'network';
    $('verdict').textContent = (TITLES[kind] || 'This cannot be mended') + '.';
    const told = error.told || {};
    $('read').textContent = (told.line ? 'At line ' + told.line + ', column ' + told.column + ': ' : '') + sentence(visible(error.told ? error.message : faults[0].message)) + '. ' + (TO_DO[kind] || '');
    $('same').textContent = '';
    return;
  }
  const count = (kind) => faults.filter((fault) => fault.kind === kind).length;
  const broken = count('broken') + checked.more;
  const changes = fixed.texts.reduce((sum, text) => sum + text.report.repairs.length, 0) + fixed.more;
  const lost = count('loss');
  const first = fixed.texts[0].report;
  const parts = [
    broken === 0 ? 'No rule is broken' : plural(broken, 'broken rule'),
    changes === 0 ? 'nothing is changed' : plural(changes, 'change'),
    changes === 0 ? '' : lost === 0 ? 'nothing is lost' : lost + ' lost',
  ].filter(Boolean);
  $('verdict').textContent = parts.join(', ') + '.';
  const found = fixed.texts[0].report.notes.find((note) => note.rule === 'dialect-detected');
  const dialects = new Set(fixed.texts.map((text) => text.report.from));
  const how = dialects.size > 1 ? 'Read as ' + [...dialects].join(', ') : found && !$('redact').checked ? sentence(found.message) : 'Read as ' + first.from;
  $('read').textContent = whatOf(fixed) + how + '. Judged by the rules of ' + checked.texts[0].target + ', written for ' + first.to + '.'
    + (checked.more + fixed.more > 0 ? ' Only the first of them are shown; `wirecanon check` and `wirecanon fix` tell all.' : '');
  const command = 'wirecanon fix' + ($('from').value === 'auto' ? '' : ' --from ' + $('from').value) + ($('to').value ? ' --to ' + $('to').value : '') + ($('for').value === 'request' ? '' : ' --for history') + ' FILE';
  $('same').replaceChildren('The same in a terminal: ', make('code', {}, command), ' ', copying(command, 'Copy the command'));
}

// What was given, where that is more than one transcript: a file of a program, many sessions, a stream.
function whatOf(fixed) {
  const inside = fixed.texts[0].inside;
  const count = plural(fixed.texts.length, inside ? 'transcript' : 'session');
  const parts = [
    fixed.stream && 'A stream of ' + plural(fixed.stream.events, 'event') + (fixed.stream.ended ? '' : ', which broke off') + '; the message that they make is shown',
    inside && sentence(inside) + (fixed.texts.length > 1 ? ' with ' + count : ''),
    !inside && fixed.lines === 'sessions' && count + ', one a line',
    fixed.lines === 'messages' && 'One message a line',
    fixed.torn && 'No JSON, and left as it is: ' + (fixed.torn.length > 1 ? 'lines ' : 'line ') + fixed.torn.join(', '),
  ].filter(Boolean);
  return parts.map((part) => part + '. ').join('');
}

// Which faults are shown.
function kinds(faults) {
  const has = Object.keys(KINDS).filter((kind) => faults.some((fault) => fault.kind === kind));
  const button = (key, label) => make('button', { type: 'button', class: 'quiet', 'data-kind': key, 'aria-pressed': 'false', onclick: () => filter(key) }, label);
  $('kinds').replaceChildren(...(has.length < 2 ? [] : [button('all', 'All ' + faults.length),
    ...has.map((kind) => button(kind, KINDS[kind].title + ' ' + faults.filter((fault) => fault.kind === kind).length))]));
}

function filter(kind) {
  state.shown = kind;
  for (const button of $('kinds').children) button.setAttribute('aria-pressed', String(button.dataset.kind === kind));
  for (const fault of state.faults) fault.item.hidden = kind !== 'all' && fault.kind !== kind;
}

const actions = {
  given([begin, end]) {
    return state.text.slice(begin, end);
  },
  // A fault, and its place; with `focus` the keyboard goes there, and what was open is closed when it is chosen again.
  choose(fault, focus) {
    if (state.chosen && state.chosen !== fault) state.chosen.open(false);
    state.chosen = fault;
    fault.open(true);
    views.source.show(fault.sourceMark || null, focus);
    views.mended.show(fault.mendedMark || null, false);
    $('back').hidden = false;
    if (focus && fault.sourceMark) inSight($('source'));
  },
  mended(fault) {
    as('text');
    views.mended.show(fault.mendedMark, true);
    inSight($('mended'));
  },
};

function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) element.scrollIntoView({ block: bottom - top > window.innerHeight ? 'start' : 'nearest' });
}

// From a mark to the first fault that is at it, or to the next one if that is open.
function toFault(mark) {
  const at = mark.faults.indexOf(state.chosen);
  const fault = at < 0 ? mark.faults[0] : mark.faults[at];
  if (state.shown !== 'all' && fault.kind !== state.shown) filter('all');
  actions.choose(fault, false);
  fault.button.focus({ preventScroll: true });
  fault.button.scrollIntoView({ block: 'nearest' });
}

function as(what) {
  for (const [name, id] of [['diff', 'diff'], ['laid', 'laid'], ['text', 'mended']]) {
    $('as-' + name).setAttribute('aria-pressed', String(what === name));
    $(id).hidden = what !== name;
  }
  if (what !== 'text') return;
  views.mended.measure();
  if (state.chosen) views.mended.show(state.chosen.mendedMark || null, false);
}

async function download() {
  say('');
  try {
    const to = $('to').value;
    const blob = await post('fix', options(to ? { to, as: 'bytes' } : { as: 'bytes' }));
    const dot = state.name.lastIndexOf('.');
    const name = dot > 0 ? state.name.slice(0, dot) + '.mended' + state.name.slice(dot) : state.name + '.mended';
    const href = URL.createObjectURL(blob);
    const link = make('a', { href, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
    say(name + ' is given to the browser to keep.');
  } catch (caught) {
    say('It cannot be downloaded: ' + caught.message + '.');
  }
}

// What was chosen stands in the address; what was given does not.
const KEPT = { from: 'auto', to: '', for: 'request' };
function remember() {
  const given = new URLSearchParams();
  for (const [id, plain] of Object.entries(KEPT)) if ($(id).value !== plain) given.set(id, $(id).value);
  if ($('redact').checked) given.set('redact', '1');
  const hash = given.toString();
  history.replaceState(null, '', location.pathname + location.search + (hash ? '#' + hash : ''));
}

function recall() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const id of Object.keys(KEPT)) {
    if ([...$(id).options].some((option) => option.value === given.get(id))) $(id).value = given.get(id);
  }
  $('redact').checked = given.has('redact');
}

function anew() {
  state.asked += 1;
  give(new Uint8Array(), '', true);
  state.bytes = null;
  $('text').value = '';
  $('result').hidden = true;
  $('other').hidden = true;
  say('');
  $('text').focus();
}

$('form').addEventListener('submit', (event) => { event.preventDefault(); look(); });
for (const id of ['from', 'to', 'for', 'redact']) $(id).addEventListener('change', () => { if (!$('result').hidden) look(); else remember(); });
$('text').addEventListener('input', () => { state.edited = true; });
$('text').addEventListener('paste', () => setTimeout(look, 0));
$('text').addEventListener('keydown', (event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); look(); } });
$('choose').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', () => { if ($('file').files[0]) takeFile($('file').files[0]); $('file').value = ''; });
$('try').addEventListener('click', () => { give(new Uint8Array(), 'sample.json', true); $('text').value = $('sample').value; look(); });
$('other').addEventListener('click', anew);
for (const what of ['diff', 'laid', 'text']) $('as-' + what).addEventListener('click', () => as(what));
$('download').addEventListener('click', download);
$('copy').addEventListener('click', async () => {
  try { await navigator.clipboard.writeText(state.fixed.output); say('The mended text is copied.'); } catch { say('This browser does not let a page copy.'); }
});
$('back').addEventListener('click', () => { if (state.chosen) { state.chosen.button.focus({ preventScroll: true }); state.chosen.button.scrollIntoView({ block: 'nearest' }); } });
$('faults').addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  const seen = state.faults.filter((fault) => !fault.item.hidden);
  const at = seen.findIndex((fault) => fault.button === event.target);
  const next = seen[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.button.focus();
  actions.choose(next, false);
});
let over = 0;
document.addEventListener('dragenter', (event) => { event.preventDefault(); over += 1; document.body.classList.add('over'); });
document.addEventListener('dragleave', () => { over -= 1; if (over <= 0) document.body.classList.remove('over'); });
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  over = 0;
  document.body.classList.remove('over');
  const file = event.dataTransfer.files[0];
  const text = event.dataTransfer.getData('text/plain');
  if (file) takeFile(file);
  else if (text) { give(new Uint8Array(), 'session.json', true); $('text').value = text; look(); }
});

recall();
const wanted = new URLSearchParams(location.search).get('case');
if (wanted) {
  fetch('/api/cases/' + encodeURIComponent(wanted)).then((answer) => answer.json()).then(async (told) => {
    if (told.error) { say('There is no case called ' + wanted + '.'); return; }
    const bytes = new Uint8Array(await (await fetch('/api/cases/' + encodeURIComponent(wanted) + '/input')).arrayBuffer());
    give(bytes, wanted + '.json', false);
    $('from').value = told.from;
    look();
  });
}
