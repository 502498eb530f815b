// The user's actions, independent of the control that triggers them.
import type { Direction } from '../merge/boxes';
import type { Fate } from '../model/fates';
import type { FindingRecord } from '../model/findings';
import type { StackState, TreeFrame } from '../model/tree';

export interface Actions {
  search(query: string): void;
  /** Goes to the next or previous hit. */
  step(by: 1 | -1): void;
  filterFound(only: boolean): void;
  toggleState(state: StackState): void;
  toggleFate(fate: Fate): void;
  /** Shows or hides idle loops of frameworks. */
  toggleIdle(): void;
  /** Shows or hides frames of frameworks, and stacks that have no others. */
  toggleFrameworks(): void;
  /** Hides frames of a method, or of a namespace, which ends with a dot; undefined shows all again. */
  hideName(name: string | undefined): void;
  sortByAge(oldest: boolean): void;
  turn(direction: Direction): void;
  /** Groups by a label. */
  groupBy(label: string): void;
  /** Leaves the stacks with a value of a label; all without one. */
  filterLabel(label: string, value: string | undefined): void;
  /** Leaves the stacks that run through a method. */
  onlyThrough(frame: TreeFrame): void;
  /** Callers and callees of a method. */
  around(frame: TreeFrame): void;
  /** The table in place of the picture. */
  showTable(shown: boolean): void;
  foldAll(): void;
  unfoldAll(): void;
  zoom(factor: number): void;
  fit(): void;
  export(): void;
  exportPicture(format: 'svg' | 'png'): void;
  refreshTarget(): void;
  stop(): void;
  save(): void;
  /** Compares later looks with this one, or with the one before each. */
  pinLook(pinned: boolean): void;
  debug(): void;
  /** Selects the box in which a stack ends. */
  goTo(stack: string): void;
  /** Selects a stack by its number. */
  choose(stack: number): void;
  /** Shows a finding in the picture: its stacks, and who waits for whom. A second time, no more. */
  showFinding(finding: FindingRecord): void;
  /** Opens a frame of a stack in an editor. */
  open(stack: number, index: number): void;
  /** Asks for more of equal stacks. */
  members(stack: string, start: number): void;
  copy(stack: number, form: 'text' | 'markdown' | 'link'): void;
  /** Makes a stack the one of the Call Stack view. */
  focusStack(stack: number): void;
  /** Pins a stack with a note; undefined takes the pin away. */
  pin(stack: number, note: string | undefined): void;
  /** Opens the menu of a stack and one of its frames, at a place of the window. */
  menu(stack: number, frame: TreeFrame | undefined, x: number, y: number): void;
}
