// Makes pages of a tree from stacks, and stacks from a text drawing, so that tests are easy to read.
import type { StackState, TreeFrame, TreeHead, TreePage, TreeStack, TreeWait } from '../model/tree';

export interface StackPlan {
  /** Outermost first. */
  readonly frames: readonly TreeFrame[];
  readonly stack: Partial<TreeStack>;
}

/** One page with all stacks, merged from their outermost frames; frames are equal when they are one object. */
export function pageOf(plans: readonly StackPlan[], head: Partial<TreeHead> = {}): TreePage {
  const frames: TreeFrame[] = [];
  const frameNumbers = new Map<TreeFrame, number>();
  const nodes = { frame: [] as number[], joins: [] as [number, number][] };
  const nodeNumbers = new Map<string, number>();
  const stacks = plans.map(({ frames: path, stack }, number): TreeStack => {
    let node = -1;
    for (const frame of path) {
      const known = frameNumbers.get(frame) ?? frames.push(frame) - 1;
      frameNumbers.set(frame, known);
      const key = `${node}/${known}`;
      const next = nodeNumbers.get(key) ?? nodes.frame.push(known) - 1;
      if (!nodeNumbers.has(key) && next !== node + 1) nodes.joins.push([next, node]);
      nodeNumbers.set(key, next);
      node = next;
    }
    return { id: `s${number + 1}`, count: 1, state: 'awaiting', frames: path.length, ...stack, node };
  });
  return { schema: 'async2.tree/1', page: 0, head: headOf(stacks, head), frames, nodes, stacks };
}

function headOf(stacks: readonly TreeStack[], head: Partial<TreeHead>): TreeHead {
  const count = stacks.reduce((sum, stack) => sum + stack.count, 0);
  const frames = stacks.reduce((sum, stack) => sum + stack.count * stack.frames, 0);
  return {
    target: {
      kind: 'dump',
      path: 'shop.core',
      os: 'linux',
      architecture: 'x64',
      runtime: '.NET 10.0.12',
      families: ['runtime-async'],
    },
    totals: { stacks: count, frames, groups: stacks.length },
    complete: true,
    verdict: `${count} stacks suspended in ${stacks.length} groups.`,
    findings: [],
    problems: [],
    ...head,
  };
}

/** Cuts a page into several, of `size` nodes each; stacks come with their node. */
export function pagesOf(page: TreePage, size: number): TreePage[] {
  const count = Math.max(1, Math.ceil(page.nodes.frame.length / size));
  return Array.from({ length: count }, (_, number): TreePage => {
    const part = <T>(list: readonly T[]): readonly T[] => list.slice(number * size, (number + 1) * size);
    return {
      schema: 'async2.tree/1',
      page: number,
      ...(number + 1 < count ? { next: number + 1 } : {}),
      ...(number === 0 && page.head ? { head: page.head } : {}),
      frames: number === 0 ? page.frames : [],
      nodes: { frame: part(page.nodes.frame), joins: page.nodes.joins.filter(([node]) => Math.floor(node / size) === number) },
      stacks: page.stacks.filter(({ node }) => (node < 0 ? number === 0 : Math.floor(node / size) === number)),
    };
  });
}

/**
 * Parses a drawing: a line is a frame, indented lines are inside of it, and `| x5 blocked Semaphore` says that stacks end
 * there. `Name*3` stands for recursion of three frames.
 */
export function drawn(drawing: string): TreePage {
  const plans: StackPlan[] = [];
  const path: TreeFrame[] = [];
  const known = new Map<string, TreeFrame>();
  for (const line of drawing.split('\n').filter((one) => one.trim() !== '')) {
    const [words = '', ...ends] = line.split('|');
    path.length = Math.floor((words.length - words.trimStart().length) / 2);
    const name = words.trim();
    const frame = known.get(name) ?? drawnFrame(name);
    known.set(name, frame);
    if (name !== '') path.push(frame);
    for (const end of ends) plans.push({ frames: [...path], stack: drawnStack(end.trim().split(/\s+/)) });
  }
  return pageOf(plans);
}

function drawnFrame(words: string): TreeFrame {
  const [name = '', frames] = words.split('*');
  const frame: TreeFrame = { method: name, kind: 'continuation', exactness: 'exact' };
  return frames ? { ...frame, frames: Number(frames), repeat: `${frames} times` } : frame;
}

function drawnStack([count = 'x1', state = 'awaiting', ...wait]: readonly string[]): Partial<TreeStack> {
  const text = wait.join(' ');
  const known: TreeWait | undefined = text === '' ? undefined : { kind: 'semaphore', text: `${text}, 0 free`, short: text };
  return { count: Number(count.slice(1)), state: state as StackState, ...(known ? { wait: known } : {}) };
}
