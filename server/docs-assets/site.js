/** Optional features of the pages: search, copy buttons, a remembered language. The pages are complete without scripts. */
import { createSearch, excerptOf } from './search.js';

/** Long enough to be read. */
const COPIED_SHOWN_MS = 1_500;

addCopyButtons();
rememberLanguage();
makeScrollersFocusable();
addSearch();

function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_SHOWN_MS);
    });
    block.append(button);
  }
}

/** A language chosen in one example is shown in all of them, on every page. */
function rememberLanguage() {
  const choose = (language) => {
    for (const radio of document.querySelectorAll('.tabs input')) {
      if (radio.value === language) radio.checked = true;
    }
  };
  // With site data blocked, even naming the storage throws: the language is then remembered on this page only.
  const attempt = (use) => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  choose(attempt(() => localStorage.getItem('docs-language')));
  document.addEventListener('change', (event) => {
    if (!event.target.matches('.tabs input')) return;
    const topPx = event.target.getBoundingClientRect().top;
    attempt(() => localStorage.setItem('docs-language', event.target.value));
    choose(event.target.value);
    // Examples further up may have changed their height; keep the clicked tab in place.
    window.scrollBy(0, event.target.getBoundingClientRect().top - topPx);
  });
}

/** Lets the keyboard focus blocks that scroll sideways, and only those. */
function makeScrollersFocusable() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  for (const scroller of document.querySelectorAll('.scroll, pre')) observer.observe(scroller);
}

function addSearch() {
  const opener = document.querySelector('.search-open');
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', 'Search the documentation');
  dialog.innerHTML = `<form method="dialog"><label for="query">Search the documentation</label>
<input id="query" type="search" autocomplete="off" spellcheck="false"><button>Close</button></form>
<p role="status"></p><ul></ul>`;
  document.body.append(dialog);
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('ul');
  const status = dialog.querySelector('[role=status]');
  let search = null;

  const open = async () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    try {
      search ??= createSearch(await (await fetch('/docs/search.json')).json());
    } catch {
      status.textContent = 'The search could not be loaded. Close it and try again.';
    }
    show();
  };
  const show = () => {
    if (!search) return;
    const found = search(input.value);
    const summary = found.length === 1 ? '1 result' : `${found.length} results`;
    status.textContent = input.value.trim() === '' ? 'Type a word: beats, idempotency, webhook …' : summary;
    list.replaceChildren(...found.map((entry) => showResult(entry, input.value)));
  };

  opener.hidden = false;
  opener.addEventListener('click', open);
  input.addEventListener('input', show);
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => moveBetweenResults(event, input, list));
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input:not([type=radio]), textarea, select, [contenteditable]');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    open();
  });
}

function showResult(entry, query) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = entry.address;
  const place = document.createElement('strong');
  place.textContent = entry.heading === entry.page ? entry.page : `${entry.page}: ${entry.heading}`;
  const text = document.createElement('span');
  text.textContent = excerptOf(entry.text, query);
  link.append(place, text);
  item.append(link);
  return item;
}

function moveBetweenResults(event, input, list) {
  const links = [...list.querySelectorAll('a')];
  const activeIndex = links.indexOf(document.activeElement);
  if (event.key === 'Enter' && document.activeElement === input) {
    event.preventDefault();
    links[0]?.click();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const nextIndex = activeIndex + (event.key === 'ArrowDown' ? 1 : -1);
  (nextIndex < 0 ? input : links[Math.min(nextIndex, links.length - 1)])?.focus();
}
