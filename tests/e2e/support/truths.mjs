// Holds what is on screen against what a scenario program says about itself.
import assert from 'node:assert/strict';

/**
 * Every stack of the truth is one of those on screen: its frames, innermost first, with file and line.
 * @param stacks as Workbench.openCallStack gives them
 */
export function holdsTruth(stacks, truth) {
  assert.ok(truth.stacks.length > 0, 'the truth is empty');
  const missing = truth.stacks.filter(({ frames }) => !stacks.some(stack => matches(stack.frames, frames)));
  assert.deepEqual(missing.map(wordsOf), [], `on screen is\n${stacks.map(stack => [stack.name, ...stack.frames].join('\n  ')).join('\n')}`);
}

/** `PayAsync, line 42, Orders.cs`: as Call Stack says it, without what else a name has in it. */
function matches(labels, frames) {
  let at = 0;
  for (const label of labels) {
    const frame = frames[at];
    if (frame && label.includes(`.${frame.method}`) && label.endsWith(`, line ${frame.line}, ${frame.file}`)) at++;
  }
  return at === frames.length;
}

function wordsOf({ scenario, stack, frames }) {
  return `${scenario} ${stack}: ${frames.map(({ method, file, line }) => `${method} ${file}:${line}`).join(' < ')}`;
}
