// Holds a page, or a frame of one, against the rules of axe.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds, a line for each rule. */
export async function axeFindings(frame) {
  // The policy of the page allows no script of ours, so axe comes in by the debugger, not by a tag.
  await frame.evaluate(axe);
  const { violations, passes } = await frame.evaluate(() => window.axe.run(document, { resultTypes: ['violations', 'passes'] }));
  assert.ok(passes.length >= 10, `axe looked at nothing: ${passes.length} rules held`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(node => `${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`).join(' | ')}`);
}
