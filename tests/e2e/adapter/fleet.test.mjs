// Many processes: what a collector receives, read by OpenTelemetry's own decoder; what DuckDB answers about 1,000 snapshots, against a count by hand.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import http from 'node:http';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { startSituation } from '../support/scenarios.mjs';
import { root, tool } from '../support/tools.mjs';

const { opentelemetry: { proto } } = createRequire(import.meta.url)('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const folder = mkdtempSync(join(tmpdir(), 'async2-fleet-'));
const programs = [];
after(async () => {
  for (const program of programs) await program.stop();
  rmSync(folder, { recursive: true, force: true });
});
before(async () => {
  for (const name of ['cycle', 'holders']) programs.push(await startSituation(name));
});

/** Has the tool send to a collector until it ends; what that received, by the paths of requests. */
async function received(...words) {
  const found = { '/v1/metrics': [], '/v1/logs': [] };
  const types = { '/v1/metrics': proto.collector.metrics.v1.ExportMetricsServiceRequest, '/v1/logs': proto.collector.logs.v1.ExportLogsServiceRequest };
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      assert.equal(request.headers['content-type'], 'application/x-protobuf');
      assert.equal(request.headers['api-key'], 'secret');
      found[request.url].push(types[request.url].toObject(types[request.url].decode(Buffer.concat(parts)), { longs: Number }));
      response.end();
    });
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const env = { ...process.env, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' };
  const child = spawn(tool, ['watch', ...words, '--otlp', `http://127.0.0.1:${server.address().port}`], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise(resolve => child.once('close', resolve));
  server.close();
  assert.equal(code, 0);
  return found;
}

const valuesOf = attributes => Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
const answerOf = pid => JSON.parse(spawnSync(tool, [String(pid), '--format', 'json'], { encoding: 'utf8' }).stdout);

test('A collector receives stacks and findings of each process', async () => {
  const { '/v1/metrics': metrics, '/v1/logs': logs } = await received(...programs.map(program => String(program.pid)), '--count', '1', '--interval', '1s');
  for (const { pid } of programs) {
    const { stacks, findings } = answerOf(pid);
    const [{ resource, scopeMetrics: [scope] }] = metrics.flatMap(request => request.resourceMetrics).filter(process => valuesOf(process.resource.attributes)['process.pid'] === pid);
    const who = valuesOf(resource.attributes);
    assert.equal(who['service.name'], 'Situations');
    assert.equal(who['host.name'], hostname());
    assert.equal(who['deployment.environment.name'], 'test');
    assert.equal(scope.scope.name, 'dotnet-async2');
    const points = name => scope.metrics.find(metric => metric.name === name)?.gauge.dataPoints ?? [];
    const sums = {};
    for (const { attributes, asInt } of points('async2.stacks')) sums[valuesOf(attributes)['async2.key']] = (sums[valuesOf(attributes)['async2.key']] ?? 0) + asInt;
    const expected = {};
    for (const { key, count } of stacks) expected[key] = (expected[key] ?? 0) + count;
    assert.deepEqual(sums, expected);
    assert.equal(points('async2.findings').reduce((sum, point) => sum + point.asInt, 0), findings.length);
    assert.equal(points('async2.look.complete')[0].asInt, 1);
    const records = logs.flatMap(request => request.resourceLogs).filter(process => valuesOf(process.resource.attributes)['process.pid'] === pid).flatMap(process => process.scopeLogs).flatMap(part => part.logRecords);
    const begun = records.filter(record => record.eventName === 'async2.finding.began');
    assert.deepEqual(begun.map(record => valuesOf(record.attributes)['async2.finding.rule']).sort(), findings.map(finding => finding.rule).sort());
    const { severityText, body, timeUnixNano } = begun.find(record => valuesOf(record.attributes)['async2.finding.rule'] === 'deadlock');
    assert.equal(severityText, 'ERROR');
    assert.match(body.stringValue, /^deadlock: /);
    assert.ok(Math.abs(timeUnixNano / 1e6 - Date.now()) < 600_000);
  }
});

test('Redacted, nothing says which machine it is', async () => {
  const found = await received(String(programs[0].pid), '--count', '1', '--redact');
  const [{ resource }] = found['/v1/metrics'].flatMap(request => request.resourceMetrics);
  assert.equal(valuesOf(resource.attributes)['host.name'], undefined);
  assert.ok(!JSON.stringify(found).includes(hostname()));
});

/** SQL of the page, by the words in bold before it. */
function queries() {
  const page = readFileSync(join(root, 'docs/fleet.md'), 'utf8');
  return [...page.matchAll(/^\*\*(.+?)\*\*.*\n```sql\n([\s\S]*?)```/gm)].map(([, name, sql]) => ({ name, sql }));
}

/** 1,000 snapshots of 250 processes, each row what the tool wrote of a real one, with counts that move. */
function snapshots() {
  mkdirSync(join(folder, 'snapshots'));
  const rows = programs.map(({ pid }) => spawnSync(tool, [String(pid), '--format', 'ndjson'], { encoding: 'utf8' }).stdout.trimEnd().split('\n').map(line => JSON.parse(line)));
  const all = [];
  for (let host = 0; host < 125; host++) {
    for (let program = 0; program < rows.length; program++) {
      for (let look = 0; look < 4; look++) {
        const takenAt = new Date(Date.UTC(2026, 10, 25, 3, look * 10, host % 60)).toISOString();
        const file = rows[program].map((row, i) => ({ ...row, host: `node-${host % 100}`, pid: 1000 + host * 10 + program, takenAt, count: row.count + (i % 3) * look * (host % 5), ageAtLeastMs: look * 600_000 + host }));
        writeFileSync(join(folder, 'snapshots', `${host}-${program}-${look}.ndjson`), file.map(row => `${JSON.stringify(row)}\n`).join(''));
        all.push(...file.map(row => ({ ...row, look })));
      }
    }
  }
  return all;
}

const sumBy = (rows, key, value) => {
  const sums = new Map();
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + value(row));
  return [...sums].filter(([name]) => name !== undefined);
};

test('DuckDB answers about 1,000 snapshots what a count by hand does', async () => {
  const all = snapshots(), last = all.filter(row => row.look === 3);
  const database = await (await DuckDBInstance.create(':memory:')).connect();
  const [, view] = /(create view stacks as select \* from read_json[^;]*);/.exec(readFileSync(join(root, 'docs/fleet.md'), 'utf8'));
  await database.run(view.replace('snapshots/', `${join(folder, 'snapshots')}/`));
  const ask = async sql => (await database.runAndReadAll(sql)).getRowObjectsJson();
  const [grew, blocks, hosts] = await Promise.all(queries().map(({ sql }) => ask(sql)));
  const compare = (found, name, value, expected) => {
    const order = expected.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 20);
    assert.deepEqual(found.map(row => [row[name], Number(row[value])]), order);
    assert.ok(order.length > 0 && order[0][1] > 0);
  };
  compare(grew, 'key', 'grew', sumBy(all.filter(row => row.look === 0 || row.look === 3), row => row.key, row => row.look === 3 ? row.count : -row.count));
  compare(blocks, 'resource', 'blocked', sumBy(last.filter(row => !row.idle), row => row.resource, row => row.count));
  compare(hosts, 'host', 'blocked', sumBy(last.filter(row => row.state === 'deadlocked'), row => row.host, row => row.count));
  assert.equal(Number(hosts[0].oldest_ms), Math.max(...last.filter(row => row.state === 'deadlocked' && row.host === hosts[0].host).map(row => row.ageAtLeastMs)));
});
