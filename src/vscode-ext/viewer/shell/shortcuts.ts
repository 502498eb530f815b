// What keys do: in the drawing, and anywhere.
import { neighbour, pans, zooms } from '../layout/keyboard';
import type { Viewer } from './viewer';

export function followKeys(viewer: Viewer): void {
  viewer.stage.element.addEventListener('keydown', (event) => {
    if (inDrawing(viewer, event)) event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && anywhere(viewer, event)) event.preventDefault();
  });
}

function inDrawing(viewer: Viewer, event: KeyboardEvent): boolean {
  const { key } = event;
  const { stage, item, commands } = viewer;
  const control = event.ctrlKey || event.metaKey;
  const pan = pans[key];
  if (control && pan) stage.move(pan[0] * stage.width, pan[1] * stage.height);
  else if (event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) commands.stepFrame(key === 'ArrowUp' ? -1 : 1);
  else if (control || event.altKey) return false;
  else if (zooms[key] !== undefined) {
    if (zooms[key] === 0) commands.fit();
    else commands.zoom(zooms[key]);
  } else if (!item) return false;
  else if (key === 'Enter') {
    if (item.box) commands.openCurrent();
    else if (item.beside?.stack !== undefined) commands.goTo(item.beside.stack);
    else if (!item.beside) commands.toggle(item);
  } else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) openMenu(viewer);
  else if (key === ' ') commands.showDetails();
  else return travel(viewer, key);
  return true;
}

/** Below the selected card. */
function openMenu({ stage, commands }: Viewer): void {
  const place = (stage.element.querySelector('.card.selected') ?? stage.element).getBoundingClientRect();
  commands.menuOn(undefined, undefined, Math.max(place.left, 0) + 12, Math.max(place.top, 0) + 24);
}

function travel(viewer: Viewer, key: string): boolean {
  const { item } = viewer;
  const { shown, layout } = viewer.stage;
  if (!item || !shown || !(key in pans || key === 'Home' || key === 'End')) return false;
  const folded = item.box !== undefined && item.box.children.length > 0 && !item.open;
  if (key === 'ArrowRight' && folded) viewer.commands.toggle(item);
  else if (key === 'ArrowLeft' && item.open) viewer.commands.toggle(item);
  else {
    const next = neighbour(key, item, shown, layout);
    if (next) viewer.commands.chooseItem(next);
  }
  return true;
}

function anywhere(viewer: Viewer, event: KeyboardEvent): boolean {
  const { commands } = viewer;
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if ((event.key === 'f' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)) commands.focusSearch();
  else if (event.key === 'F3') commands.step(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape') {
    if (typing && viewer.model.query !== '') commands.search('');
    else commands.closeDetails();
  } else if (event.key === 't' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey)
    commands.showTable(!viewer.isTable);
  else return false;
  return true;
}
