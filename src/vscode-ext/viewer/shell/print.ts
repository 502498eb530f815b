// On paper there is no picture to move: findings and stacks are printed as text.
import { el, fill, foreign } from '../draw/dom';
import type { Model } from '../merge/model';
import { counted } from '../model/numbers';
import { stackText } from '../model/stackText';

/** More pages than anybody prints. */
const mostStacks = 300;

export function printAs(paper: HTMLElement, model: Model): void {
  const { head, stacks } = model.forest;
  const { keeps } = model;
  const order = stacks
    .map((_, number) => number)
    .filter(keeps)
    .sort((one, other) => (model.ranks[one] ?? 0) - (model.ranks[other] ?? 0));
  const findings = (head?.findings ?? []).map(({ severity, rule, text, confidence }) =>
    el('li', '', el('strong', '', `${severity}: ${rule}`), ' ', foreign('', text), ` (${confidence})`),
  );
  fill(
    paper,
    findings.length > 0 ? el('ul', '', ...findings) : undefined,
    ...order.slice(0, mostStacks).map((number) => {
      const stack = stacks[number];
      return stack && el('pre', '', stackText(model.forest, stack, model.pins.of(stack)));
    }),
    order.length > mostStacks ? el('p', '', `${counted(order.length - mostStacks, 'more group')} of equal stacks`) : undefined,
  );
}
