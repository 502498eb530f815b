// What is wrong, without being asked: opens by itself when a finding is an error or a warning, worst first.
import { button, el, fill, foreign, shape } from '../draw/dom';
import { type Model, nameOf } from '../merge/model';
import { duration } from '../model/ages';
import type { FindingRecord } from '../model/findings';
import { alarms } from '../model/links';
import { clip } from '../model/names';
import { counted } from '../model/numbers';
import type { Actions } from './actions';

const mostLabels = 3;

/** The others are counted until somebody wants them. */
const first = 3;

export const signs = {
  error: 'M6 1.5l5 9h-10zM6 5v2.5M6 9v.1',
  warning: 'M6 1.5l5 9h-10zM6 5v2.5M6 9v.1',
  info: 'M6 5.5v3.5M6 3v.1',
} as const;

export class Banner {
  readonly element = el('section', 'banner');
  private model: Model | undefined;
  private whole = false;
  /** Names of the findings for which it was closed: others open it again. */
  private closed: string | undefined;

  constructor(
    private readonly actions: Actions,
    /** Where the focus goes when it is closed. */
    private readonly leave: () => void,
  ) {
    this.element.setAttribute('aria-label', 'What is wrong');
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      this.close();
    });
  }

  update(model: Model): void {
    this.model = model;
    const found = alarms(model.forest.head?.findings ?? []);
    this.element.hidden = found.length === 0 || this.closed === namesOf(found);
    if (this.element.hidden) {
      fill(this.element);
      return;
    }
    this.element.className = `banner is-${found[0]?.severity}`;
    const at = this.focused();
    const list = el('ul', '');
    for (const finding of this.whole ? found : found.slice(0, first)) list.append(el('li', '', this.line(finding, model)));
    const rest = found.length - first;
    fill(
      this.element,
      list,
      el(
        'div',
        'group',
        rest > 0 ? this.more(rest) : undefined,
        button('icon close', 'Close (Esc)', () => this.close(), shape('M3 3l6 6M9 3l-6 6', '')),
      ),
    );
    if (at >= 0) this.buttons()[Math.min(at, this.buttons().length - 1)]?.focus();
  }

  private line(finding: FindingRecord, model: Model): HTMLButtonElement {
    const { rule, severity, confidence, text } = finding;
    const count = finding.blocked ?? finding.stacks.length;
    const sure = [confidence, motionWords(finding)].filter((words) => words !== '').join(', ');
    const made = button(
      `alarm is-${severity}`,
      'Show its stacks in the picture',
      () => this.actions.showFinding(finding),
      shape(signs[severity], ''),
      el('span', 'words', el('strong', '', `${severity}: ${clip(rule, 60)}`), ' ', foreign('', clip(text, 600))),
      el('span', 'note', `${sure} \u00b7 ${counted(count, 'stack')}`),
      ...labelLines(finding).map((words) => foreign('labels', clip(words, 300))),
    );
    made.setAttribute('aria-pressed', String(model.chosen === nameOf(finding)));
    return made;
  }

  private more(rest: number): HTMLButtonElement {
    const made = button('link', this.whole ? 'show fewer' : `${counted(rest, 'more finding')}`, () => {
      this.whole = !this.whole;
      if (this.model) this.update(this.model);
    });
    made.setAttribute('aria-expanded', String(this.whole));
    return made;
  }

  private close(): void {
    this.closed = namesOf(alarms(this.model?.forest.head?.findings ?? []));
    if (this.model) this.update(this.model);
    this.leave();
  }

  private buttons(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('button')];
  }

  private focused(): number {
    return this.buttons().indexOf(document.activeElement as HTMLElement);
  }
}

/** What looks say of it, as the tool does (FindingText). */
function motionWords({ motion, still }: FindingRecord): string {
  if (motion === undefined) return '';
  if (motion === 'moved') return 'has moved';
  if (still === undefined || still.ofLooks <= 2) return 'has not moved';
  const looks = still.looks === still.ofLooks ? `all ${still.ofLooks}` : `the last ${still.looks} of ${still.ofLooks}`;
  return `stuck for at least ${duration(still.atLeastMs)} in ${looks} looks`;
}

function namesOf(findings: readonly FindingRecord[]): string {
  return findings.map(nameOf).join();
}

/** For whom the stacks work that hang on a finding; the rest is in the JSON answer. */
function labelLines({ labels }: FindingRecord): readonly string[] {
  return (labels ?? []).slice(0, mostLabels).flatMap(({ text }) => text ?? []);
}
