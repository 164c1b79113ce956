'use strict';
// The scheme of colours: that of the system, or what the reader chose.
const themes = ['auto', 'light', 'dark'];
const theme = document.getElementById('theme');
function dress(name) {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  theme.textContent = 'Theme: ' + name;
  theme.dataset.name = name;
}
let kept = null;
try { kept = localStorage.getItem('wirecanon-theme'); } catch { /* a page that may keep nothing */ }
dress(themes.includes(kept) ? kept : 'auto');
theme.addEventListener('click', () => {
  const next = themes[(themes.indexOf(theme.dataset.name) + 1) % themes.length];
  dress(next);
  try { localStorage.setItem('wirecanon-theme', next); } catch { /* it lasts as long as the page */ }
});
