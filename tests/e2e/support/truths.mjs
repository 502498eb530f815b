// Holds what is on screen against what a scenario program says about itself.
import assert from 'node:assert/strict';

/**
 * The stacks on screen are those of the truth: no other ones, none too few, each as often, frame by frame, with file and line.
 * @param stacks as Workbench.openCallStack gives them
 */
export function holdsTruth(stacks, truth) {
  assert.ok(truth.stacks.length > 0, 'the truth is empty');
  const expected = countsOf(truth.stacks.map(stack => ({ key: keyOfTruth(stack), count: 1 })));
  const methods = new Set(truth.stacks.flatMap(({ frames }) => frames.map(({ method }) => method)));
  const seen = countsOf(stacks.map(({ name, frames }) => ({ key: keyOf(ownFrames(frames, methods)), count: Number(/^x([\d,]+) /.exec(name)?.[1].replaceAll(',', '') ?? 1) })));
  for (const stack of truth.stacks) part(seen, stack, truth.stacks);
  assert.deepEqual(sorted(seen), sorted(expected), `on screen is\n${stacks.map(stack => [stack.name, ...stack.frames].join('\n  ')).join('\n')}`);
}

/** Frames with a line of source, as method, line and file; not labels, nor frames of .NET. */
function ownFrames(labels, methods) {
  return labels.flatMap(label => {
    const place = /^(.*), line (\d+), ([^,]+\.cs)$/.exec(label);
    return place ? [[methodOf(place[1], methods), Number(place[2]), place[3]]] : [];
  });
}

/** `Shop.Orders.PayAsync(int) [elided]` is `PayAsync`; a method that the truth does not know keeps its whole name. */
function methodOf(name, methods) {
  const short = name.replace(/\(.*$/, '').replace(/\.lambda$/, '').split('.');
  const known = [short.slice(-1), short.slice(-2)].map(words => words.join('.').replace(/<.*>$/, ''));
  return known.find(word => methods.has(word)) ?? name;
}

function keyOf(frames) {
  return frames.map(([method, line, file]) => `${method} ${file}:${line}`).join(' < ');
}

function keyOfTruth({ frames }) {
  return keyOf(frames.map(({ method, file, line }) => [method, line, file]));
}

/** Of several who wait for a stack, one is shown as its callers; the truth has them all apart. */
function part(seen, stack, all) {
  const waiters = all.filter(({ scenario, stack: name }) => scenario === stack.scenario && stack.awaitedBy?.includes(name)).map(keyOfTruth);
  const waiter = waiters.find(key => seen[`${keyOfTruth(stack)} < ${key}`] > 0);
  if (waiter === undefined) return;
  seen[`${keyOfTruth(stack)} < ${waiter}`]--;
  for (const key of [keyOfTruth(stack), waiter]) seen[key] = (seen[key] ?? 0) + 1;
}

/** How often each is there. */
function countsOf(entries) {
  const counts = {};
  for (const { key, count } of entries) counts[key] = (counts[key] ?? 0) + count;
  return counts;
}

function sorted(counts) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0).sort(([one], [other]) => (one < other ? -1 : 1)));
}
