// How wide a text is in the viewer's font.
import { type Face, metrics } from './rows';

const context = document.createElement('canvas').getContext('2d');
const known = new Map<string, number>();
let font = '';

/** Measures in the font of an element, for boxes that fit into it. */
export function faceOf(element: HTMLElement): Face {
  const { fontFamily } = getComputedStyle(element);
  if (font !== fontFamily && context) {
    font = fontFamily;
    context.font = `12px ${fontFamily}`;
    known.clear();
  }
  const widest = Math.max(metrics.narrowest, Math.min(metrics.widest, element.clientWidth - 48));
  return { measure, widest, view: element.clientWidth };
}

function measure(text: string): number {
  // Longer text is cut anyway.
  const part = text.slice(0, 160);
  let width = known.get(part);
  if (width === undefined) {
    width = context?.measureText(part).width ?? part.length * 7;
    known.set(part, width);
  }
  return width;
}
