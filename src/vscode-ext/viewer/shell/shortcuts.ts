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
  const { stage, item } = viewer;
  const control = event.ctrlKey || event.metaKey;
  const pan = pans[key];
  if (control && pan) stage.move(pan[0] * stage.width, pan[1] * stage.height);
  else if (event.altKey && (key === 'ArrowUp' || key === 'ArrowDown')) viewer.stepFrame(key === 'ArrowUp' ? -1 : 1);
  else if (control || event.altKey) return false;
  else if (zooms[key] !== undefined) {
    if (zooms[key] === 0) viewer.fit();
    else viewer.zoom(zooms[key]);
  } else if (!item) return false;
  else if (key === 'Enter') {
    if (item.box) viewer.openCurrent();
    else viewer.toggle(item);
  } else if (key === ' ') viewer.showDetails();
  else return travel(viewer, key);
  return true;
}

function travel(viewer: Viewer, key: string): boolean {
  const { item } = viewer;
  const { shown, layout } = viewer.stage;
  if (!item || !shown || !(key in pans || key === 'Home' || key === 'End')) return false;
  const folded = item.box !== undefined && item.box.children.length > 0 && !item.open;
  if (key === 'ArrowRight' && folded) viewer.toggle(item);
  else if (key === 'ArrowLeft' && item.open) viewer.toggle(item);
  else {
    const next = neighbour(key, item, shown, layout);
    if (next) viewer.choose(next);
  }
  return true;
}

function anywhere(viewer: Viewer, event: KeyboardEvent): boolean {
  const typing = event.target instanceof HTMLInputElement;
  if ((event.key === 'f' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)) viewer.focusSearch();
  else if (event.key === 'F3') viewer.step(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape') {
    if (typing && viewer.model.query !== '') viewer.search('');
    else viewer.closeDetails();
  } else return false;
  return true;
}
