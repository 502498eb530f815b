// How wide a text is in the viewer's font.
import type { Measure } from './rows';

const context = document.createElement('canvas').getContext('2d');
const known = new Map<string, number>();
let font = '';

/** Measures in the font of an element. */
export function measureText(element: HTMLElement): Measure {
  const { fontFamily } = getComputedStyle(element);
  if (font !== fontFamily && context) {
    font = fontFamily;
    context.font = `12px ${fontFamily}`;
    known.clear();
  }
  return (text) => {
    // What is longer is cut anyway.
    const part = text.slice(0, 90);
    let width = known.get(part);
    if (width === undefined) {
      width = context?.measureText(part).width ?? part.length * 7;
      known.set(part, width);
    }
    return width;
  };
}
