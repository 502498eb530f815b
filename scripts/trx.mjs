// Reads test results (trx): what passed, failed and was skipped, and why.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Results of all trx files of a folder, added up; and in words that test processes died, by which tests that come later did not run. */
export function readResults(folder) {
  const results = { passed: [], failed: [], skipped: [], files: 0, died: [] };
  for (const file of listed(folder).filter(name => name.endsWith('.trx')).sort()) {
    results.files++;
    const xml = readFileSync(join(folder, file), 'utf8');
    for (const test of testsIn(xml))
      results[test.outcome].push(test);
    results.died.push(...deathsIn(xml));
  }
  return results;
}

export function testsIn(xml) {
  return [...xml.matchAll(/<UnitTestResult\b([^>]*?)(?:\/>|>(.*?)<\/UnitTestResult>)/gs)].map(([, attributes, body = '']) => ({
    name: text(/\btestName="([^"]*)"/.exec(attributes)),
    outcome: { Passed: 'passed', NotExecuted: 'skipped' }[/\boutcome="([^"]*)"/.exec(attributes)?.[1]] ?? 'failed',
    reason: text(/<Message>(.*?)<\/Message>/s.exec(body) ?? /<StdOut>(.*?)<\/StdOut>/s.exec(body)).trim(),
  }));
}

// The runner of xUnit says it nowhere else, and calls the run completed.
export function deathsIn(xml) {
  const summary = xml.slice(Math.max(0, xml.lastIndexOf('<ResultSummary')));
  return [...new Set([...summary.matchAll(/Test process crashed[^\n<]*/g)].map(([words]) => words.trim()))];
}

function listed(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function text(match) {
  return (match?.[1] ?? '').replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    hex ? String.fromCodePoint(parseInt(hex, 16)) : decimal ? String.fromCodePoint(Number(decimal)) : entities[name] ?? whole);
}
