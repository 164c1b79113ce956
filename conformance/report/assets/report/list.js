'use strict';
// The list of results. Only the rows near the window are in the page, so that ten thousand are as quick as ten; each has its
// place, its number and the number of all, and the arrow keys go through all of them.

const list = {
  element: document.getElementById('rows'),
  rows: [],
  wanted: asked(),
  drawn: new Map(),
  current: 0,

  set(rows, wanted) {
    this.rows = rows;
    this.wanted = wanted;
    this.current = 0;
    this.drawn.clear();
    this.element.replaceChildren();
    this.measure();
    if (rows.length === 0) {
      this.element.append(make('li', { class: 'none' }, 'Nothing is like that.'));
      return;
    }
    this.draw();
  },

  measure() {
    // In pixels, as the style says for this window and this size of letters.
    const probe = make('li', {}, '');
    this.element.append(probe);
    this.height = probe.getBoundingClientRect().height || 80;
    probe.remove();
    this.element.style.height = this.rows.length === 0 ? '' : this.rows.length * this.height + 'px';
  },

  draw() {
    if (this.rows.length === 0 || this.element.closest('[hidden]')) return;
    const top = -this.element.getBoundingClientRect().top;
    const begin = Math.max(0, Math.floor(top / this.height) - 8);
    const end = Math.min(this.rows.length, Math.ceil((top + window.innerHeight) / this.height) + 8);
    for (const [at, item] of this.drawn) {
      if ((at < begin || at >= end) && !item.contains(document.activeElement)) {
        item.remove();
        this.drawn.delete(at);
      }
    }
    if (this.current < begin || this.current >= end) {
      // The one that the tabulator reaches is always in sight.
      if (!this.element.contains(document.activeElement)) this.current = Math.min(begin + 8, this.rows.length - 1);
    }
    for (let at = begin; at < end; at += 1) {
      if (!this.drawn.has(at)) this.put(at);
    }
    for (const [at, item] of this.drawn) item.firstChild.tabIndex = at === this.current ? 0 : -1;
  },

  put(at) {
    const item = make('li', { 'aria-posinset': at + 1, 'aria-setsize': this.rows.length }, this.link(this.rows[at]));
    item.style.top = at * this.height + 'px';
    item.firstChild.dataset.at = at;
    // In the order of the rows, for whoever reads the page from top to bottom.
    const after = [...this.drawn.keys()].filter((other) => other > at).sort((one, other) => one - other)[0];
    this.element.insertBefore(item, after === undefined ? null : this.drawn.get(after));
    this.drawn.set(at, item);
  },

  link(row) {
    const about = report.cases[row.case];
    const testee = report.testees[row.testee].name;
    const group = row.worst;
    const wanted = { ...this.wanted, case: about.id, testee: this.wanted.testee };
    const failing = row.groups.filter((other) => !other.ok);
    const targets = { to: (failing.length ? failing : row.groups).flatMap((other) => other.to) };
    const dialect = report.dialects[group.from];
    return make('a', { href: fragment(wanted) + (this.wanted.testee ? '' : '&at=' + encodeURIComponent(testee)) },
      make('span', { class: 'state' },
        make('span', { class: 'verdict ' + verdictOf(group.verdict).tone }, group.verdict),
        tagOf(group)),
      make('span', { class: 'what' },
        make('strong', {}, about.title),
        make('span', { class: 'line mono' }, about.id)),
      make('span', { class: 'why' },
        report.testees.length > 1 && make('span', { class: 'line who' }, testee),
        make('span', { class: 'line because' }, group.reasons[0] || verdictOf(group.verdict).meaning),
        make('span', { class: 'line' }, dialect + ' → ' + targetsOf(targets, 2))));
  },

  go(at) {
    at = Math.max(0, Math.min(this.rows.length - 1, at));
    this.current = at;
    const top = this.element.getBoundingClientRect().top + window.scrollY + at * this.height;
    if (top < window.scrollY) window.scrollTo(0, top);
    else if (top + this.height > window.scrollY + window.innerHeight) window.scrollTo(0, top + this.height - window.innerHeight);
    this.draw();
    if (!this.drawn.has(at)) this.put(at);
    this.drawn.get(at).firstChild.focus({ preventScroll: true });
    this.draw();
  },
};

list.element.addEventListener('keydown', (event) => {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity };
  const at = Number(event.target.dataset.at);
  if (!(event.key in steps) || Number.isNaN(at) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  list.go(at + steps[event.key]);
});
list.element.addEventListener('focusin', (event) => {
  if (event.target.dataset.at !== undefined) {
    list.current = Number(event.target.dataset.at);
    list.draw();
  }
});
let waiting = false;
function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; list.draw(); });
}
window.addEventListener('scroll', soon, { passive: true });
window.addEventListener('resize', () => {
  list.measure();
  for (const [at, item] of list.drawn) item.style.top = at * list.height + 'px';
  soon();
});
