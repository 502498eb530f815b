// Who holds a resource, as items on its other side: the stack with its user's frames, or the thread.
import type { BoxTree } from '../merge/boxes';
import { type Holder, heldWords, holdersOf } from '../model/resources';
import { stateIndex, states } from '../model/states';
import type { TreeFrame } from '../model/tree';
import type { Item } from './items';
import { type Face, metrics, type Row, rowsOf, widthOf } from './rows';

export interface Beside {
  readonly holder: Holder;
  /** Id of its stack; undefined for a thread without one. */
  readonly stack: string | undefined;
}

/** More of them are counted. */
const mostHolders = 6;
const mostFrames = 4;

export function holderItems(resource: Item, tree: BoxTree, face: Face): Item[] {
  const all = holdersOf(tree.forest, resource.box?.resource ?? '');
  return all.slice(0, mostHolders).map((holder, at): Item => {
    const stack = tree.forest.stacks[holder.stack];
    const title =
      at === mostHolders - 1 && all.length > mostHolders ? `and ${all.length - at} holders` : titleOf(holder, stack?.id);
    const rows: Row[] = [{ kind: 'title', text: title }, { kind: 'detail', text: heldWords(holder) }, ...framesOf(tree, holder)];
    const box = { ...(resource.box as NonNullable<Item['box']>), count: stack?.count ?? 1, oldest: 0 };
    const counts = states.map((_, state) => (stack && state === stateIndex(stack.state) ? stack.count : 0));
    if (stack)
      rows.push(
        ...rowsOf({ ...tree, direction: 'outer' }, { ...box, inner: -1, length: 0, ends: [holder.stack] }).filter(
          ({ kind }) => kind === 'end',
        ),
      );
    return {
      ...{ key: `holder ${resource.key} ${at}`, box: undefined, beside: { holder, stack: stack?.id }, parent: undefined },
      ...{ children: [], holders: [], rows, count: stack?.count ?? 1, states: counts, level: 1, column: 0 },
      ...{ position: at + 1, siblings: Math.min(all.length, mostHolders), open: false, order: 0, x: 0, y: 0 },
      ...{ width: Math.max(metrics.narrowest, widthOf(rows, { ...box, states: counts }, face)), height: 0, heights: [] },
    };
  });
}

function titleOf({ thread }: Holder, id: string | undefined): string {
  return id === undefined ? `held by thread ${thread}` : `held by ${id}${thread === undefined ? '' : `, thread ${thread}`}`;
}

/** The user's innermost frames. */
function framesOf({ forest }: BoxTree, { stack }: Holder): Row[] {
  const frames: TreeFrame[] = [];
  for (let node = forest.stacks[stack]?.node ?? -1; node >= 0 && frames.length < mostFrames; node = forest.outer[node] ?? -1) {
    const frame = forest.frameOf(node);
    if (!frame.framework) frames.push(frame);
  }
  return frames.map((frame, index) => ({ kind: 'frame', index, frame, name: frame.method, place: frame.place ?? '' }));
}
