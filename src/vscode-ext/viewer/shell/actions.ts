// The user's actions, independent of the control that triggers them.
import type { Direction } from '../model/boxes';
import type { FindingRecord, StackState } from '../model/tree';

export interface Actions {
  search(query: string): void;
  /** Goes to the next or previous hit. */
  step(by: 1 | -1): void;
  filterFound(only: boolean): void;
  toggleState(state: StackState): void;
  /** Shows or hides idle loops of frameworks. */
  toggleIdle(): void;
  turn(direction: Direction): void;
  foldAll(): void;
  unfoldAll(): void;
  zoom(factor: number): void;
  fit(): void;
  export(): void;
  refreshTarget(): void;
  /** Selects the box in which a stack ends. */
  goTo(stack: string): void;
  /** Shows a finding in the picture: its stacks, and who waits for whom. A second time, no more. */
  showFinding(finding: FindingRecord): void;
  /** Opens a frame of a stack in an editor. */
  open(stack: number, index: number): void;
}
