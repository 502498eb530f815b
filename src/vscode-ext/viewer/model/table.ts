// All stacks as rows: what a table shows, and in which order.
import type { Forest } from './forest';
import { clip, shortName } from './names';
import { stateIndex } from './states';
import type { TreeStack } from './tree';

export const columns = ['state', 'count', 'oldest', 'since', 'wait', 'route', 'method'] as const;

export type Column = (typeof columns)[number];

export interface TableRow {
  readonly stack: TreeStack;
  /** Number of the stack. */
  readonly number: number;
  readonly rank: number;
  /** The user's innermost method, or the innermost one. */
  readonly method: string;
  readonly node: number;
}

export interface Sorting {
  readonly column: Column;
  readonly down: boolean;
}

/** Rows of the stacks that the filters leave. */
export function rowsOfTable(forest: Forest, keeps: (stack: number) => boolean, ranks: Uint8Array): TableRow[] {
  return forest.stacks.flatMap((stack, number) => {
    if (!keeps(number)) return [];
    const node = innermostOwn(forest, stack.node);
    return [{ stack, number, rank: ranks[number] ?? 0, method: node < 0 ? '' : shortName(forest.frameOf(node)), node }];
  });
}

function innermostOwn(forest: Forest, inner: number): number {
  for (let node = inner; node >= 0; node = forest.outer[node] ?? -1) if (!forest.frameOf(node).framework) return node;
  return inner;
}

type Order = (one: TableRow, other: TableRow) => number;

const orders: Readonly<Record<Column, Order>> = {
  state: (one, other) => one.rank - other.rank || stateIndex(one.stack.state) - stateIndex(other.stack.state),
  count: (one, other) => other.stack.count - one.stack.count,
  oldest: (one, other) => (other.stack.age?.atLeastMs ?? -1) - (one.stack.age?.atLeastMs ?? -1),
  since: (one, other) => (other.stack.fates?.stuck ?? -1) - (one.stack.fates?.stuck ?? -1),
  wait: (one, other) => compare(waitOf(one.stack), waitOf(other.stack)),
  route: (one, other) => compare(routeOf(one.stack), routeOf(other.stack)),
  method: (one, other) => compare(one.method, other.method),
};

/** Sorted as a column says, worst, most, oldest first; equal rows by how bad they are, then by their count. */
export function sorted(rows: readonly TableRow[], { column, down }: Sorting): TableRow[] {
  const order = orders[column];
  const sign = down ? 1 : -1;
  return [...rows].sort((one, other) => sign * order(one, other) || orders.state(one, other) || orders.count(one, other));
}

/** Empty texts come last. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  if (one === '' || other === '') return one === '' ? 1 : -1;
  return one < other ? -1 : 1;
}

export function waitOf({ wait }: TreeStack): string {
  if (wait === undefined || wait.kind === 'none') return '';
  return wait.name === undefined || wait.text.includes(wait.name)
    ? clip(wait.text, 200)
    : clip(`${wait.name}: ${wait.text}`, 200);
}

/** The route, or the request, or what else it works for. */
export function routeOf({ labels, shares }: TreeStack): string {
  const more = (shares?.route?.length ?? 1) - 1;
  const route = labels?.route ?? labels?.request ?? '';
  return route === '' || more <= 0 ? clip(route, 120) : `${clip(route, 120)} +${more}`;
}
