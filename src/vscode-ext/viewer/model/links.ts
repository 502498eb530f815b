// Who waits for whom in a finding, as links between stacks: over what is held to who holds it, and from step to step of a cycle.

import type { EvidenceRecord, FindingRecord } from './findings';
import type { Forest } from './forest';

export interface Link {
  /** Number of the stack that waits. */
  readonly from: number;
  /** Number of the stack that has to act. */
  readonly to: number;
  /** It holds what the other one waits for. */
  readonly held: boolean;
}

/** A finding can be about thousands of stacks: more links than this cannot be followed. */
const most = 60;

/** Findings that should be seen at once, worst first: they come sorted. */
export function alarms(findings: readonly FindingRecord[]): readonly FindingRecord[] {
  return findings.filter(({ severity }) => severity !== 'info');
}

/** Ids of the stacks that prove a finding, those of its steps included. */
export function stacksOf(finding: FindingRecord): readonly string[] {
  return [...new Set([...finding.stacks, ...steps(finding).flatMap(({ stack }) => (stack === undefined ? [] : [stack]))])];
}

export function linksOf(forest: Forest, finding: FindingRecord): Link[] {
  const links = new Map<string, Link>();
  const all = steps(finding);
  all.forEach((step, at) => {
    if (step.to === undefined || step.stack === undefined) return;
    const holders = holdersOf(forest, step.to);
    const next = all[(at + 1) % all.length];
    // In a cycle each step waits for the next one, and the last for the first.
    const others =
      holders.length > 0 ? holders : isCycle(finding) && next?.stack !== undefined ? [next.stack] : completers(forest, step);
    for (const id of others) {
      const link = { from: forest.numberOf(step.stack), to: forest.numberOf(id), held: holders.length > 0 };
      // Steps within one stack follow each other in its box already, unless all of the cycle is there.
      if (link.from === link.to && !link.held && stacksOf(finding).length > 1) continue;
      if (link.from >= 0 && link.to >= 0 && links.size < most) links.set(`${link.from}>${link.to}>${link.held}`, link);
    }
  });
  return [...links.values()];
}

/** A frame is a step of a finding: its method, at its line. */
export function isStep(finding: FindingRecord | undefined, frame: { readonly method: string; readonly line?: number }): boolean {
  return finding !== undefined && steps(finding).some(({ method, line }) => method === frame.method && line === frame.line);
}

export function isCycle({ rule }: FindingRecord): boolean {
  return rule.endsWith('deadlock');
}

function steps(finding: FindingRecord): readonly EvidenceRecord[] {
  return finding.evidence ?? [];
}

/** Ids of the stacks that hold a resource; of a thread, those that it runs. */
function holdersOf({ head, stacks }: Forest, resource: string): string[] {
  const ends = (head?.edges ?? [])
    .filter(({ from, relation }) => from === resource && relation === 'held-by')
    .map(({ to }) => to ?? '');
  return ends.flatMap((end) => {
    const thread = /^t(\d+)$/.exec(end)?.[1];
    return thread === undefined ? [end] : stacks.filter((stack) => stack.thread === Number(thread)).map(({ id }) => id);
  });
}

/** Ids of the stacks whose task is waited for. */
function completers({ stacks }: Forest, { to }: EvidenceRecord): string[] {
  return stacks.filter(({ task }) => task === to).map(({ id }) => id);
}
