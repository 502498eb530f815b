// How bad stacks are: what is wrong comes first in every list, then the user's own code, then frameworks alone.

import type { FindingRecord } from './findings';
import type { Forest } from './forest';
import type { TreeStack } from './tree';

/** Ranks, the worst first: an error, a deadlock, a warning, the user's code, frameworks alone, idle loops. */
export const ranks = { error: 0, deadlocked: 1, warning: 2, own: 3, framework: 4, idle: 5 } as const;

/** Rank of each stack, by its number. */
export function ranksOf(forest: Forest): Uint8Array {
  const accused = accusedBy(forest.head?.findings ?? []);
  const own = ownNodes(forest);
  return Uint8Array.from(forest.stacks, (stack) => rankOf(stack, accused.get(stack.id), own[stack.node] === 1));
}

function rankOf(stack: TreeStack, severity: FindingRecord['severity'] | undefined, own: boolean): number {
  if (stack.idle !== undefined) return ranks.idle;
  if (severity === 'error') return ranks.error;
  if (stack.state === 'deadlocked') return ranks.deadlocked;
  if (severity === 'warning') return ranks.warning;
  return own ? ranks.own : ranks.framework;
}

/** The worst severity of the findings that a stack proves, by its id. */
function accusedBy(findings: readonly FindingRecord[]): Map<string, FindingRecord['severity']> {
  const worst = new Map<string, FindingRecord['severity']>();
  // Findings come sorted, worst first.
  for (const { severity, stacks, evidence } of findings) {
    for (const id of [...stacks, ...(evidence ?? []).flatMap(({ stack }) => stack ?? [])])
      if (!worst.has(id)) worst.set(id, severity);
  }
  return worst;
}

/** By node: it or an outer node is the user's code. */
export function ownNodes(forest: Forest): Uint8Array {
  const own = new Uint8Array(forest.frame.length);
  for (let node = 0; node < own.length; node++) {
    const outer = forest.outer[node] ?? -1;
    own[node] = (outer >= 0 && own[outer] === 1) || !forest.frameOf(node).framework ? 1 : 0;
  }
  return own;
}
