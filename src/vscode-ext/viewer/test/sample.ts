// A shop with thousands of stacks, for tests of size and for manual inspection: deterministic.
import type { StackState, TreeFrame, TreePage, TreeWait } from '../model/tree';
import { pageOf, type StackPlan } from './pages';

/** Pseudo-random numbers from 0 to 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const known = new Map<string, TreeFrame>();

function frame(type: string, name: string, file?: string, line = 0, kind: TreeFrame['kind'] = 'continuation'): TreeFrame {
  const words = `${type} ${name} ${file} ${line}`;
  const made = known.get(words) ?? newFrame(type, name, file, line, kind);
  known.set(words, made);
  return made;
}

function newFrame(type: string, name: string, file: string | undefined, line: number, kind: TreeFrame['kind']): TreeFrame {
  const base = { method: `${type}.${name}(CancellationToken)`, name, type, kind, exactness: 'exact' as const };
  if (file === undefined) return { ...base, module: 'Microsoft.AspNetCore.dll', framework: true };
  const path = `/src/shop/${file}`;
  return { ...base, module: 'Shop.dll', file: path, line, place: `${file.split('/').pop()}:${line}` };
}

const server = [
  frame('Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Infrastructure.KestrelConnection', 'ExecuteAsync'),
  frame('Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol', 'ProcessRequestsAsync'),
  frame('Shop.Web.RequestTiming', 'InvokeAsync', 'Web/RequestTiming.cs', 31),
];
const areas = [
  'Orders',
  'Payments',
  'Catalog',
  'Customers',
  'Shipping',
  'Search',
  'Baskets',
  'Invoices',
  'Reviews',
  'Stock',
  'Prices',
  'Mail',
  'Reports',
];
const verbs = ['Get', 'List', 'Place', 'Cancel', 'Update', 'Find', 'Refund', 'Import', 'Export', 'Check', 'Merge', 'Approve'];

const waits: readonly TreeWait[] = [
  {
    kind: 'semaphore',
    text: 'SemaphoreSlim.WaitAsync, 0 free, 398 waiting',
    short: 'SemaphoreSlim.WaitAsync',
    address: '0x7f524d80b698',
  },
  { kind: 'timer', text: 'Task.Delay, due in 4.2 s', short: 'Task.Delay' },
  { kind: 'socket', text: 'Socket.ReceiveAsync, 10.0.3.17:5432', short: 'Socket.ReceiveAsync' },
  { kind: 'channel', text: 'Channel.Reader.ReadAsync, empty, 12 readers', short: 'Channel.Reader.ReadAsync' },
  { kind: 'task', text: 'Task that nobody has completed, TaskCompletionSource<Receipt>', short: 'TaskCompletionSource<Receipt>' },
];

/** `count` distinct stacks. */
export function sampleShop(count: number): TreePage {
  const roll = dice(42);
  const pick = <T>(list: readonly T[]): T => list[Math.min(list.length - 1, Math.floor(roll() ** 1.6 * list.length))] as T;
  const plans: StackPlan[] = troubles();
  while (plans.length < count) {
    const area = pick(areas);
    const verb = pick(verbs);
    const wait = pick(waits);
    const detail = Math.floor(roll() ** 2 * Math.max(3, count / 60));
    const state: StackState = roll() < 0.06 ? 'scheduled' : roll() < 0.01 ? 'active' : 'awaiting';
    const frames = [...server, ...request(area, verb, detail), ...client(wait, Math.floor(roll() * 3))];
    const number = Math.max(1, Math.floor((1 / (0.02 + roll())) ** 1.5));
    const base = { count: number, state, task: `0x7f52${(plans.length * 96).toString(16).padStart(8, '0')}` };
    plans.push({ frames, stack: state === 'awaiting' ? { ...base, wait } : state === 'active' ? { ...base, thread: 17 } : base });
  }
  return pageOf(plans, sampleHead(plans));
}

function request(area: string, verb: string, detail: number): TreeFrame[] {
  const one = area.replace(/s$/, '');
  const line = 20 + detail * 3;
  return [
    frame(`Shop.Web.${area}Endpoint`, `${verb}Async`, `Web/${area}Endpoint.cs`, 18 + verb.length),
    frame(`Shop.${area}.${one}Service`, `${verb}${one}Async`, `${area}/${one}Service.cs`, line),
    frame(`Shop.Data.Repository<Shop.${area}.${one}>`, 'LoadAsync', 'Data/Repository.cs', 77 + (detail % 5) * 9),
  ];
}

function client(wait: TreeWait, depth: number): TreeFrame[] {
  const names = ['RetryAsync', 'WithTimeoutAsync', 'TraceAsync'];
  const wrappers = names
    .slice(0, depth)
    .map((name, at) => frame('Shop.Resilience.Policy', name, 'Resilience/Policy.cs', 40 + at * 12));
  const leaf =
    wait.kind === 'socket'
      ? frame('Npgsql.NpgsqlCommand', 'ExecuteReader')
      : frame('Shop.Data.Gate', 'EnterAsync', 'Data/Gate.cs', 23);
  return [...wrappers, leaf];
}

/** A cycle of locks, a thread that blocks, recursion, workers: typical contents of a dump. */
function troubles(): StackPlan[] {
  const worker = (name: string, line: number): TreeFrame =>
    frame(`Shop.Workers.${name}`, 'ExecuteAsync', `Workers/${name}.cs`, line);
  const lock = frame('Shop.Sync.AsyncLock', 'AcquireAsync', 'Sync/AsyncLock.cs', 51);
  const locked = (stack: string): TreeWait => ({
    kind: 'lock',
    text: `AsyncLock.AcquireAsync, held by ${stack}`,
    short: 'AsyncLock.AcquireAsync',
    stack,
  });
  const walk = {
    ...frame('Shop.Catalog.CategoryTree', 'WalkAsync', 'Catalog/CategoryTree.cs', 64),
    frames: 5000,
    repeat: '2 frames, 2,500 times',
  };
  const blocked = frame('Shop.Web.LegacyController', 'Index', 'Web/LegacyController.cs', 12, 'thread');
  const pool = frame('System.Threading.ThreadPoolWorkQueue', 'Dispatch');
  return [
    {
      frames: [worker('StockWorker', 33), frame('Shop.Stock.StockLedger', 'MoveAsync', 'Stock/StockLedger.cs', 90), lock],
      stack: { state: 'deadlocked', wait: locked('s2'), awaitedBy: ['s2'] },
    },
    {
      frames: [worker('PriceWorker', 41), frame('Shop.Prices.PriceBook', 'ReviseAsync', 'Prices/PriceBook.cs', 118), lock],
      stack: { state: 'deadlocked', wait: locked('s1'), awaitedBy: ['s1'] },
    },
    {
      frames: [pool, blocked],
      stack: {
        count: 24,
        state: 'blocked',
        thread: 31,
        wait: { kind: 'thread', text: 'Task.Wait, until s4 completes', short: 'Task.Wait', stack: 's4' },
      },
    },
    {
      frames: [worker('ReportWorker', 27), walk, frame('Shop.Data.Gate', 'EnterAsync', 'Data/Gate.cs', 23)],
      stack: { wait: waits[0] as TreeWait, frames: 5002 },
    },
    {
      frames: [worker('MailWorker', 19), frame('Shop.Mail.Outbox', 'NextAsync', 'Mail/Outbox.cs', 58)],
      stack: { count: 12, wait: waits[3] as TreeWait },
    },
  ];
}

function sampleHead(plans: readonly StackPlan[]): Parameters<typeof pageOf>[1] {
  const count = plans.reduce((sum, plan) => sum + (plan.stack.count ?? 1), 0);
  return {
    verdict: `${count.toLocaleString('en')} stacks suspended in ${plans.length.toLocaleString('en')} groups; 2 are deadlocked, 24 threads block on tasks.`,
    findings: [
      {
        rule: 'deadlock',
        severity: 'error',
        confidence: 'certain',
        text: 's1 and s2 wait for locks that the other one holds.',
        stacks: ['s1', 's2'],
      },
      {
        rule: 'sync-over-async',
        severity: 'warning',
        confidence: 'certain',
        text: '24 threads block until s4 completes.',
        stacks: ['s3', 's4'],
      },
    ],
    problems: [{ code: 'unreadable-frame', text: 'Two frames could not be read.', address: '0x7f524d80b698' }],
  };
}
