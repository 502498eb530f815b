// The field for words of a page of groups.
import { el } from '../draw/dom';

export function makeSearch(change: () => void): HTMLInputElement {
  const search = el('input', 'search');
  search.type = 'search';
  search.placeholder = 'method, file, wait, label';
  search.setAttribute('aria-label', 'Filter groups by words ( / )');
  search.addEventListener('input', change);
  return search;
}

/** Slash and Ctrl+F go to it, Escape empties it. */
export function focusOnSlash(search: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const wanted = event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey));
    if (event.key === 'Escape' && event.target === search) {
      search.value = '';
      search.dispatchEvent(new Event('input'));
    } else if (wanted && event.target !== search) {
      event.preventDefault();
      search.focus();
      search.select();
    }
  });
}
