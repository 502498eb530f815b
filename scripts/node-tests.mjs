// Counts of "node --test", in whichever of its forms it printed them.

const words = { pass: 'passed', fail: 'failed', cancelled: 'failed', skipped: 'skipped', todo: 'skipped' };

/** The closing lines of a run, added up when there are several; null when there are none. */
export function countsIn(output) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const lines = [...output.matchAll(/^(?:#|\u2139) (pass|fail|cancelled|skipped|todo) (\d+)$/gm)];
  for (const [, word, number] of lines)
    counts[words[word]] += Number(number);
  return lines.length === 0 ? null : counts;
}
