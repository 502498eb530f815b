// Looks for a plain text, in any case, in what boxes say: methods, files, what is waited for, ids.
import { type Box, type BoxTree, nodesOf } from './boxes';
import type { Forest } from './forest';
import { placeOf, shortName } from './names';
import type { TreeFrame, TreeStack } from './tree';

export interface Hit {
  readonly box: Box;
  /** Index of the frame in the box; -1 when what it says besides has the text. */
  readonly frame: number;
}

export interface Found {
  readonly text: string;
  /** In reading order. */
  readonly hits: readonly Hit[];
  /** There are more; the search has stopped. */
  readonly more: boolean;
  readonly frames: ReadonlySet<TreeFrame>;
  /** Keys of the boxes with hits. */
  readonly boxes: ReadonlySet<number>;
}

const mostHits = 10_000;

/** What is looked for in a text that may be a megabyte long. */
const mostSearched = 20_000;

function has(text: string | undefined, wanted: string): boolean {
  return text?.slice(0, mostSearched).toLowerCase().includes(wanted) ?? false;
}

export function frameHas(frame: TreeFrame, wanted: string): boolean {
  return has(frame.method, wanted) || has(shortName(frame), wanted) || has(frame.file, wanted) || has(placeOf(frame), wanted);
}

export function stackHas(stack: TreeStack, wanted: string): boolean {
  const { wait } = stack;
  if (stack.id === wanted || stack.state.includes(wanted)) return true;
  return has(stack.task, wanted) || has(wait?.text, wanted) || has(wait?.type, wanted) || has(wait?.address, wanted);
}

/** Which stacks have the text anywhere. */
export function stacksWith(forest: Forest, query: string): (stack: number) => boolean {
  const wanted = query.toLowerCase();
  const frames = forest.frames.map((frame) => frameHas(frame, wanted));
  const nodes = new Uint8Array(forest.frame.length);
  for (let node = 0; node < nodes.length; node++) {
    const inherited = nodes[forest.outer[node] ?? -1] ?? 0;
    nodes[node] = inherited || (frames[forest.frame[node] ?? -1] ? 1 : 0);
  }
  return (number) => {
    const stack = forest.stacks[number];
    return stack !== undefined && ((nodes[stack.node] ?? 0) === 1 || stackHas(stack, wanted));
  };
}

/** All places with the text; undefined when there is none to look for. */
export function search(tree: BoxTree, query: string): Found | undefined {
  if (query === '') return undefined;
  const text = query.toLowerCase();
  const frames = new Set(tree.forest.frames.filter((frame) => frameHas(frame, text)));
  const hits: Hit[] = [];
  const open = [...tree.roots].reverse();
  for (let box = open.pop(); box && hits.length <= mostHits; box = open.pop()) {
    addHits(tree, box, text, frames, hits);
    for (let at = box.children.length - 1; at >= 0; at--) open.push(box.children[at] as Box);
  }
  const more = hits.length > mostHits;
  if (more) hits.length = mostHits;
  return { text, hits, more, frames, boxes: new Set(hits.map((hit) => hit.box.key)) };
}

function addHits(tree: BoxTree, box: Box, text: string, frames: ReadonlySet<TreeFrame>, hits: Hit[]): void {
  if (has(box.title, text)) hits.push({ box, frame: -1 });
  if (frames.size > 0) {
    nodesOf(tree, box).forEach((node, frame) => {
      if (frames.has(tree.forest.frameOf(node))) hits.push({ box, frame });
    });
  }
  if (tree.direction === 'inner') return;
  const ends = box.ends.some((end) => {
    const stack = tree.forest.stacks[end];
    return stack !== undefined && stackHas(stack, text);
  });
  if (ends) hits.push({ box, frame: -1 });
}
