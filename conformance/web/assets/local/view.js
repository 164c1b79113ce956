'use strict';
// A text of any length with its lines numbered and places marked. Only the rows near what is seen are elements; a line that is too
// long for the window goes on in the next rows.

const ROW = 20;
// Browsers end elements somewhere above this height.
const TALLEST = 15000000;
const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// A text in which everything can be seen.
function visible(text) {
  return text.replace(HIDDEN, (c) => '⟨U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '⟩');
}

// What is broad takes two columns.
function columnsOf(code) {
  return code < 0x1100 || (code >= 0xdc00 && code < 0xe000) ? 1 : 2;
}

class View {
  // `goBack` is called with the place whose mark was chosen.
  constructor(box, goBack) {
    this.box = box;
    this.goBack = goBack;
    this.text = '';
    this.marks = [];
    this.chosen = null;
    this.inner = make('div', { class: 'rows-of-text' });
    box.replaceChildren(this.inner);
    box.addEventListener('scroll', () => this.soon(), { passive: true });
    new ResizeObserver(() => this.measure()).observe(box);
  }

  // Marks have `range`, `label`, `tone`, and are in the order of the text.
  set(text, marks) {
    this.text = text;
    this.marks = marks;
    this.chosen = null;
    this.rows = null;
    this.columns = 0;
    this.box.scrollTop = 0;
    this.measure();
  }

  measure() {
    if (this.box.clientWidth === 0) return;
    const probe = make('span', { class: 'row-text' }, '0'.repeat(50));
    this.inner.append(probe);
    const width = probe.getBoundingClientRect().width / 50 || 8;
    probe.remove();
    const digits = String(this.lineCount === undefined ? 1 : this.lineCount).length;
    let columns = Math.max(12, Math.floor((this.box.clientWidth - 28) / width) - Math.max(3, digits) - 2);
    if (columns === this.columns && this.laid === this.text) { this.draw(); return; }
    this.columns = columns;
    this.laid = this.text;
    for (;;) {
      this.lay(columns);
      if (this.rows.length * ROW <= TALLEST) break;
      columns *= 2;
    }
    this.inner.style.height = this.rows.length * ROW + 'px';
    this.inner.style.setProperty('--digits', Math.max(3, String(this.lineCount).length) + 'ch');
    this.draw();
  }

  // Where rows begin, and which line begins there.
  lay(columns) {
    const { text } = this;
    this.rows = [0];
    this.numbers = [1];
    let line = 1;
    let used = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10) {
        line += 1;
        used = 0;
        this.rows.push(at + 1);
        this.numbers.push(line);
        continue;
      }
      const wide = columnsOf(code);
      if (used + wide > columns && !(code >= 0xdc00 && code < 0xe000)) {
        used = 0;
        this.rows.push(at);
        this.numbers.push(0);
      }
      used += wide;
    }
    // What ends with its last line has no line behind it.
    if (this.rows.length > 1 && this.rows[this.rows.length - 1] === text.length && this.numbers[this.rows.length - 1] > 0) {
      this.rows.pop();
      this.numbers.pop();
      line -= 1;
    }
    this.lineCount = line;
  }

  rowOf(at) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle] <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  draw() {
    if (!this.rows || this.box.clientHeight === 0) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 6);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW) + 6);
    const focused = document.activeElement && this.inner.contains(document.activeElement) ? document.activeElement.dataset.mark : undefined;
    const begin = this.rows[first];
    const end = last < this.rows.length ? this.rows[last] : this.text.length;
    const near = this.marks.filter((mark) => mark.range[0] <= end && mark.range[1] >= begin);
    const rows = [];
    for (let at = first; at < last; at += 1) rows.push(this.row(at, near));
    this.inner.replaceChildren(...rows);
    if (focused !== undefined) {
      const again = this.inner.querySelector('[data-mark="' + focused + '"]');
      if (again) again.focus({ preventScroll: true });
      else this.box.focus({ preventScroll: true });
    }
  }

  row(at, near) {
    const begin = this.rows[at];
    let end = at + 1 < this.rows.length ? this.rows[at + 1] : this.text.length;
    if (this.text[end - 1] === '\n' && end > begin) end -= 1;
    if (this.text[end - 1] === '\r' && end > begin) end -= 1;
    const row = make('div', { class: 'row', 'data-line': this.numbers[at] || null });
    row.style.top = at * ROW + 'px';
    const text = make('span', { class: 'row-text' });
    // The innermost mark of each part is the one that can be chosen.
    const cuts = new Set([begin, end]);
    const here = near.filter((mark) => mark.range[0] <= end && mark.range[1] >= begin);
    for (const mark of here) for (const cut of mark.range) if (cut > begin && cut < end) cuts.add(cut);
    const stops = [...cuts].sort((one, other) => one - other);
    for (let part = 0; part + 1 < stops.length || (part === 0 && begin === end); part += 1) {
      const [from, to] = [stops[part], stops[part + 1] ?? end];
      const over = here.filter((mark) => mark.range[0] <= from && Math.max(mark.range[1], mark.range[0] + 1) > from);
      const inner = over.reduce((best, mark) => (!best || mark.range[1] - mark.range[0] <= best.range[1] - best.range[0] ? mark : best), null);
      const within = this.chosen && over.includes(this.chosen) ? ' within' : '';
      const words = visible(this.text.slice(from, to)) || (inner ? '␤' : '');
      const starts = over.filter((mark) => this.isStart(mark, from, at));
      const mark = starts.includes(inner) ? inner : starts[0];
      if (mark) {
        text.append(make('button', {
          type: 'button', class: 'mark ' + mark.tone + within + (mark === this.chosen ? ' chosen' : ''), 'data-mark': this.marks.indexOf(mark), title: mark.label + ': back to the fault',
          onclick: () => this.goBack(mark),
          onkeydown: (event) => { if (event.key === 'Escape') { event.stopPropagation(); this.goBack(mark); } },
        }, words));
      } else if (inner || within) {
        text.append(make('span', { class: 'part ' + (inner && inner.range[1] - inner.range[0] < 400 ? inner.tone : '') + within }, words));
      } else {
        text.append(words);
      }
    }
    row.append(text);
    return row;
  }

  isStart(mark, from, at) {
    const start = Math.min(mark.range[0], this.text.length);
    return start === from || (start >= this.text.length && at === this.rows.length - 1);
  }

  // Scrolls to a mark; with `focus` it is where the keyboard is.
  show(mark, focus) {
    this.chosen = mark;
    // What is not on the page is shown when it comes.
    if (!mark || !this.rows || this.box.clientHeight === 0) { this.draw(); return; }
    const top = this.rowOf(mark.range[0]) * ROW;
    if (top < this.box.scrollTop + ROW || top > this.box.scrollTop + this.box.clientHeight - 4 * ROW) {
      this.box.scrollTop = Math.max(0, top - this.box.clientHeight / 3);
    }
    this.draw();
    const element = this.inner.querySelector('[data-mark="' + this.marks.indexOf(mark) + '"]');
    if (focus && element) element.focus({ preventScroll: true });
  }
}
