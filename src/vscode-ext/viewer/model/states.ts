// The six states of a stack, the worst first: the order of lists, and the first one that occurs determines the state of a box.
import type { StackState } from './tree';

export const states: readonly StackState[] = ['deadlocked', 'blocked', 'active', 'scheduled', 'awaiting', 'completed'];

/** A state that this viewer does not know counts as awaiting. */
export function knownState(word: StackState): StackState {
  return states.includes(word) ? word : 'awaiting';
}

export function stateIndex(state: StackState): number {
  return states.indexOf(state);
}

export const deadlocked = 0;

/** Outline of each state on a 12 x 12 grid, so that states differ not only by colour. */
export const stateShapes: Readonly<Record<StackState, string>> = {
  deadlocked: 'M4 1h4l3 3v4l-3 3h-4l-3-3v-4zM4 4l4 4M8 4l-4 4',
  blocked: 'M2 2h8v8h-8zM4 6h4',
  active: 'M3 1.5l7.5 4.5l-7.5 4.5z',
  scheduled: 'M2 2l4 4l-4 4M6.5 2l4 4l-4 4',
  awaiting: 'M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10M6 3.5v2.8l2 1.2',
  completed: 'M1.5 6.5l3 3l6-7',
};

/** Shapes that are filled; the others are lines. */
export const filledStates: ReadonlySet<StackState> = new Set(['active']);
