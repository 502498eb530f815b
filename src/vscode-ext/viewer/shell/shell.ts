// The frame of the viewer: header, toolbar, drawing, details, legend, and messages in place of a drawing.
import { button, el, fill, foreign, shape } from '../draw/dom';
import type { Stage } from '../draw/stage';
import { clip } from '../model/names';
import { makeLegend } from './legend';
import type { Notices } from './notices';

interface Parts {
  readonly header: HTMLElement;
  readonly banner: HTMLElement;
  readonly toolbar: { readonly element: HTMLElement; readonly tools: HTMLElement };
  readonly stage: Stage;
  readonly details: { readonly element: HTMLElement };
  readonly notices: Notices;
  readonly table: HTMLElement;
  readonly menu: HTMLElement;
}

export class Shell {
  private readonly message = el('div', 'message');
  private readonly legend = makeLegend();
  private legendSwitch: HTMLElement | undefined;
  private readonly drawing: HTMLElement;
  /** What is printed. */
  readonly paper = el('div', 'paper');

  constructor(root: HTMLElement, panel: boolean, parts: Parts) {
    const drawing = el('div', 'drawing');
    const main = el('main', 'main', drawing, parts.table, parts.details.element, parts.menu);
    this.drawing = drawing;
    this.legend.hidden = true;
    this.message.hidden = true;
    parts.toolbar.tools.append(this.legendButton(), ...(panel ? [] : [themeButton()]));
    parts.stage.mount(drawing);
    drawing.append(this.message, this.legend);
    root.classList.add('async2-viewer');
    fill(
      root,
      el('header', '', el('div', 'top', parts.header, parts.toolbar.tools), parts.toolbar.element),
      parts.banner,
      main,
      parts.notices.element,
      this.paper,
    );
  }

  /** Shows a message in place of the drawing; nothing if `text` is empty. */
  say(text: string, failed: boolean): void {
    this.message.hidden = text === '';
    this.message.classList.toggle('failed', failed);
    this.message.setAttribute('role', failed ? 'alert' : 'status');
    fill(this.message, foreign('', clip(text, 4000)));
  }

  /** The table in place of the picture. */
  showTable(shown: boolean): void {
    this.drawing.hidden = shown;
  }

  private showLegend(shown: boolean): void {
    this.legend.hidden = !shown;
    this.legendSwitch?.setAttribute('aria-pressed', String(shown));
  }

  /** False if it was not open. */
  closeLegend(): boolean {
    const open = !this.legend.hidden;
    this.showLegend(false);
    return open;
  }

  private legendButton(): HTMLButtonElement {
    const press = (): void => this.showLegend(this.legend.hidden !== false);
    const made = button('icon', 'Legend', press, shape('M4 4.2a2 2 0 1 1 2.6 1.9c-.5 .2-.6 .5-.6 1.2M6 9.6v.1', ''));
    made.setAttribute('aria-pressed', 'false');
    this.legendSwitch = made;
    return made;
  }
}

/** Buttons for light and dark, if no editor decides. */
export function themeButton(): HTMLButtonElement {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const root = document.documentElement;
  const press = (): void => {
    root.dataset.theme = (root.dataset.theme ?? (dark ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark';
  };
  return button('icon', 'Light or dark', press, shape('M6 1.5a4.5 4.5 0 1 0 0 9zM6 1.5a4.5 4.5 0 0 1 0 9', 'half'));
}
