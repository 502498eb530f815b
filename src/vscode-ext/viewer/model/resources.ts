// What stacks wait for in common: a semaphore, a lock, a channel; with those who hold it.
import type { Forest } from './forest';
import type { EdgeRecord, ResourceRecord, TreeStack } from './tree';

/** The resource that a stack waits for, if the answer knows more of it than that. */
export function resourceOf(forest: Forest, { wait }: TreeStack): ResourceRecord | undefined {
  if (wait === undefined) return undefined;
  const resource = forest.resources.get(wait.resource ?? '') ?? forest.resources.get(wait.address ?? '');
  // A task without a name says nothing to anybody.
  return resource?.kind === 'task' && resource.name === undefined ? undefined : resource;
}

/** `Orders._till`, or the type and the address. */
export function resourceTitle({ name, type, kind, id }: ResourceRecord): string {
  return name ?? `${type ?? kind ?? 'resource'} ${id}`;
}

/** Who holds a resource: a stack that is shown, or a thread without one. */
export interface Holder {
  /** Number of the stack; -1 for a thread that runs no stack. */
  readonly stack: number;
  readonly thread?: number;
  /** How that is known. */
  readonly known: EdgeRecord['known'];
}

export function holdersOf(forest: Forest, resource: string): Holder[] {
  const holders: Holder[] = [];
  for (const { from, relation, to, known } of forest.head?.edges ?? []) {
    if (from !== resource || relation !== 'held-by' || to === undefined) continue;
    const thread = /^t(\d+)$/.exec(to)?.[1];
    if (thread === undefined) {
      const stack = forest.numberOf(to);
      if (stack >= 0) holders.push({ stack, known });
      continue;
    }
    const run = forest.stacks.flatMap((stack, number) => (stack.thread === Number(thread) ? [number] : []));
    if (run.length === 0) holders.push({ stack: -1, thread: Number(thread), known });
    for (const stack of run) holders.push({ stack, thread: Number(thread), known });
  }
  return holders;
}

const words: Readonly<Partial<Record<EdgeRecord['known'], string>>> = {
  'owner-record': 'recorded by the lock',
  'acquired-by-code': 'acquired, by its code',
  'perhaps-acquired-by-code': 'perhaps acquired, by its code',
  'released-by-code': 'releases it later, by its code',
};

/** How it is known who holds it. */
export function heldWords({ known }: Holder): string {
  return words[known] ?? known.replaceAll('-', ' ');
}
