// The frame of the viewer: header, toolbar, drawing, details, legend, and what is said in place of a drawing.
import { button, el, fill, foreign } from './dom';
import { makeLegend } from './legend';
import { clip } from './names';
import type { Notices } from './notices';
import type { Stage } from './stage';

interface Parts {
  readonly header: HTMLElement;
  readonly toolbar: { readonly element: HTMLElement };
  readonly stage: Stage;
  readonly details: { readonly element: HTMLElement };
  readonly notices: Notices;
}

export class Shell {
  private readonly message = el('div', 'message');
  private readonly legend = makeLegend();

  constructor(root: HTMLElement, panel: boolean, parts: Parts) {
    const drawing = el('div', 'drawing');
    const main = el('main', 'main', drawing, parts.details.element);
    this.legend.hidden = true;
    this.message.hidden = true;
    parts.toolbar.element.append(this.legendButton(), ...(panel ? [] : [themeButton()]));
    parts.stage.mount(drawing);
    drawing.append(this.message, this.legend);
    root.classList.add('async2-viewer');
    fill(root, parts.header, parts.toolbar.element, main, parts.notices.element);
  }

  /** Says something in place of the drawing; nothing when `text` is empty. */
  say(text: string, failed: boolean): void {
    this.message.hidden = text === '';
    this.message.classList.toggle('failed', failed);
    this.message.setAttribute('role', failed ? 'alert' : 'note');
    fill(this.message, foreign('', clip(text, 4000)));
  }

  private legendButton(): HTMLButtonElement {
    const made = button('toggle', 'Legend', () => {
      this.legend.hidden = !this.legend.hidden;
      made.setAttribute('aria-pressed', String(!this.legend.hidden));
    });
    made.setAttribute('aria-pressed', 'false');
    return made;
  }
}

/** Light and dark by hand, where no editor decides. */
function themeButton(): HTMLButtonElement {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const root = document.documentElement;
  const made = button('', dark ? 'Light' : 'Dark', () => {
    const next = (root.dataset.theme ?? (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
    root.dataset.theme = next;
    made.textContent = next === 'dark' ? 'Light' : 'Dark';
  });
  return made;
}
