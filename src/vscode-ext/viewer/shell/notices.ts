// Short messages for screen readers; some are also shown for a moment.
import { el } from '../draw/dom';

const moment = 4000;

export class Notices {
  readonly element = el('div', 'notices');
  private readonly live = el('div', 'aloud');
  private readonly toast = el('div', 'toast');
  private hiding: number | undefined;

  constructor() {
    this.live.setAttribute('role', 'status');
    this.toast.hidden = true;
    this.element.append(this.live, this.toast);
  }

  /** For screen readers only. */
  say(text: string): void {
    this.live.textContent = text;
  }

  /** For everybody. */
  show(text: string): void {
    this.say(text);
    this.toast.textContent = text;
    this.toast.hidden = false;
    clearTimeout(this.hiding);
    this.hiding = window.setTimeout(() => {
      this.toast.hidden = true;
    }, moment);
  }
}
