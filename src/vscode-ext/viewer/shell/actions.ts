// What the user can do, whichever control is used for it.
import type { Direction } from '../model/boxes';
import type { StackState } from '../model/tree';

export interface Actions {
  search(query: string): void;
  /** Goes to the next hit, or the one before. */
  step(by: 1 | -1): void;
  filterFound(only: boolean): void;
  toggleState(state: StackState): void;
  /** Draws idle loops of frameworks, or leaves them out. */
  toggleIdle(): void;
  turn(direction: Direction): void;
  foldAll(): void;
  unfoldAll(): void;
  zoom(factor: number): void;
  fit(): void;
  export(): void;
  refreshTarget(): void;
  /** Makes the box in which a stack ends the selected one. */
  goTo(stack: string): void;
  /** Opens a frame of a stack in an editor. */
  open(stack: number, index: number): void;
}
