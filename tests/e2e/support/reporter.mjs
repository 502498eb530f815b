// Writes what came of the tests as one JSON object, for `npm test` of the repository.

export default async function* report(events) {
  const results = { passed: [], failed: [], skipped: [] };
  for await (const { type, data } of events) {
    // A suite, and a file, is not a test of its own.
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    if (type === 'test:fail' && data.details?.error?.failureType === 'subtestsFailed') continue;
    const name = `e2e: ${data.name}`;
    if (data.skip !== undefined) results.skipped.push({ name, reason: typeof data.skip === 'string' ? data.skip : '' });
    else if (type === 'test:pass') results.passed.push({ name, reason: '' });
    else results.failed.push({ name, reason: reasonOf(data.details?.error) });
  }
  yield `${JSON.stringify(results, null, 1)}\n`;
}

function reasonOf(error) {
  const cause = error?.cause ?? error;
  return String(cause?.stack ?? cause?.message ?? cause ?? 'no reason given').slice(0, 4000);
}
