// Mouse, touch and pen on the drawing: dragging and the wheel move it, Ctrl and the wheel or two fingers zoom, a click selects.
import type { Stage } from '../draw/stage';

export interface Clicks {
  /** A card was clicked; `on` is the element that was hit. */
  card(key: string, on: Element, twice: boolean): void;
  /** The right button on a card, or the menu key: then there is no card. */
  menu(key: string | undefined, on: Element | undefined, x: number, y: number): void;
}

const stillness = 4;

export function followPointer(stage: Stage, clicks: Clicks): void {
  const fingers = new Map<number, { x: number; y: number }>();
  const { element } = stage;
  let moved = 0;
  element.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = 0;
  });
  element.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const dx = event.clientX - last.x;
    const dy = event.clientY - last.y;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < stillness) return;
    // The pointer is captured only once it moves: a click must reach the card under it.
    if (!element.hasPointerCapture(event.pointerId)) element.setPointerCapture(event.pointerId);
    const spread = fingers.size === 2 ? pinch(fingers, event) : 1;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const box = element.getBoundingClientRect();
    stage.move(dx / fingers.size, dy / fingers.size);
    if (spread !== 1) stage.zoom(spread, event.clientX - box.left, event.clientY - box.top);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    element.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  const choose = (event: MouseEvent, twice: boolean): void => {
    const on = event.target instanceof Element ? event.target : undefined;
    const key = on?.closest<HTMLElement>('.card')?.dataset.key ?? stage.keyAt(event.clientX, event.clientY);
    if (on && key !== undefined && moved < stillness) clicks.card(key, on, twice);
  };
  element.addEventListener('click', (event) => choose(event, false));
  element.addEventListener('dblclick', (event) => choose(event, true));
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const on = event.target instanceof Element ? event.target : undefined;
    const key = on?.closest<HTMLElement>('.card')?.dataset.key ?? stage.keyAt(event.clientX, event.clientY);
    clicks.menu(key, on, event.clientX, event.clientY);
  });
  element.addEventListener('wheel', (event) => turnWheel(stage, event), { passive: false });
}

function pinch(fingers: ReadonlyMap<number, { x: number; y: number }>, event: PointerEvent): number {
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  const last = fingers.get(event.pointerId);
  if (!other || !last) return 1;
  const before = Math.hypot(other.x - last.x, other.y - last.y);
  return before > 0 ? Math.hypot(other.x - event.clientX, other.y - event.clientY) / before : 1;
}

function turnWheel(stage: Stage, event: WheelEvent): void {
  event.preventDefault();
  const unit =
    event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : stage.height;
  if (event.ctrlKey || event.metaKey) {
    const box = stage.element.getBoundingClientRect();
    const turn = Math.max(-100, Math.min(100, event.deltaY * unit));
    stage.zoom(Math.exp(-turn * 0.004), event.clientX - box.left, event.clientY - box.top);
  } else if (event.shiftKey && event.deltaX === 0) stage.move(-event.deltaY * unit, 0);
  else stage.move(-event.deltaX * unit, -event.deltaY * unit);
}
