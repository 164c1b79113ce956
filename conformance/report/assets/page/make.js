'use strict';
// Elements and words. Whatever is given as text goes into the page as text.

// An element with its attributes and what is in it: texts and elements.
function make(name, attributes, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...inside.filter((part) => part !== undefined && part !== null && part !== false && part !== ''));
  return element;
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function plural(count, word) {
  return count.toLocaleString('en') + ' ' + word + (count === 1 ? '' : 's');
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
