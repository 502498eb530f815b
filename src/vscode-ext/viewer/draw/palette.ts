// Colours for canvases: those of the style sheet, as computed by the browser.
import { states } from '../model/states';

export interface Palette {
  readonly paper: string;
  readonly card: string;
  readonly border: string;
  readonly edge: string;
  readonly text: string;
  readonly dim: string;
  readonly focus: string;
  readonly hit: string;
  readonly states: readonly string[];
  readonly font: string;
}

export function readPalette(root: HTMLElement): Palette {
  const probe = document.createElement('span');
  root.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    paper: colour('paper'),
    card: colour('card'),
    border: colour('border'),
    edge: colour('edge'),
    text: colour('text'),
    dim: colour('dim'),
    focus: colour('focus'),
    hit: colour('hit'),
    states: states.map((state) => colour(state)),
    font: getComputedStyle(root).fontFamily,
  };
  probe.remove();
  return palette;
}

/** Calls back when the theme changes, for any reason. */
export function watchTheme(changed: () => void): void {
  const watcher = new MutationObserver(changed);
  for (const element of [document.documentElement, document.body]) {
    watcher.observe(element, { attributes: true, attributeFilter: ['class', 'style', 'data-theme'] });
  }
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
    matchMedia(query).addEventListener('change', changed);
  }
}
