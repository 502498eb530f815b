// The user's search, in the language of the tool's queries: filters such as method:Pay state:blocked, which all have
// to match, and plain text. Without a filter everything is plain text, spaces included.

import type { FindingRecord } from './findings';
import { stacksOf } from './links';
import { placeOf, shortName } from './names';
import { type QueryName, type QueryOption, queryOptions } from './queryOptions';
import type { TreeFrame, TreeStack } from './tree';

/** A condition on a stack: on one of its frames or on the stack itself; may be negated. */
export interface Condition {
  readonly frame?: (frame: TreeFrame) => boolean;
  readonly stack?: (stack: TreeStack) => boolean;
  readonly title?: (title: string) => boolean;
  readonly without?: boolean;
}

export interface Query {
  /** In lower case; empty for none. */
  readonly text: string;
  readonly filters: readonly Condition[];
  /** Why the search is not valid; nothing is found then. */
  readonly wrong: string | undefined;
}

/** The text to search in, which may be a megabyte long. */
const mostSearched = 20_000;

export function has(text: string | undefined, wanted: string): boolean {
  return text?.slice(0, mostSearched).toLowerCase().includes(wanted) ?? false;
}

export function frameHas(frame: TreeFrame, wanted: string): boolean {
  return has(frame.method, wanted) || has(shortName(frame), wanted) || has(frame.file, wanted) || has(placeOf(frame), wanted);
}

export function stackHas(stack: TreeStack, wanted: string): boolean {
  const { wait } = stack;
  if (stack.id === wanted || stack.state.includes(wanted)) return true;
  return (
    has(stack.task, wanted) ||
    has(stack.labelText, wanted) ||
    has(wait?.text, wanted) ||
    has(wait?.type, wanted) ||
    has(wait?.address, wanted)
  );
}

/** Plain text, anywhere. */
export function plain(text: string): Condition {
  return {
    frame: (frame) => frameHas(frame, text),
    stack: (stack) => stackHas(stack, text),
    title: (title) => has(title, text),
  };
}

/** Parses the search. A filter without its value is ignored. `findings` are those of the answer. */
export function parseQuery(typed: string, findings: readonly FindingRecord[]): Query {
  const words = wordsOf(typed);
  if (words.every((word) => word.option === undefined)) return { text: typed.toLowerCase(), filters: [], wrong: undefined };
  const filters: Condition[] = [];
  const rest: string[] = [];
  let wrong: string | undefined;
  for (const { option, value } of words) {
    if (option === undefined) rest.push(value);
    else if (value !== '') {
      const condition = conditionOf(option, value, findings);
      if (typeof condition === 'string') wrong ??= condition;
      else filters.push(condition);
    }
  }
  return { text: rest.join(' ').toLowerCase(), filters, wrong };
}

interface Word {
  readonly option: QueryOption | undefined;
  readonly value: string;
}

/** Splits at spaces, except between quotation marks. */
function wordsOf(typed: string): Word[] {
  return (typed.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((word) => {
    const [, name, value] = /^([a-z-]+):(?!:)(.*)$/s.exec(word) ?? [];
    const option = queryOptions.find((one) => one.name === name || one.aliases.includes(name ?? ''));
    return { option, value: (option ? (value ?? '') : word).replaceAll('"', '') };
  });
}

type Maker<Value> = (value: Value) => Condition;

const patterns: Readonly<Partial<Record<QueryName, Maker<RegExp>>>> = {
  method: (pattern) => ({ frame: (frame) => matches(pattern, frame.method) }),
  'waiting-on': (pattern) => ({
    stack: ({ wait }) => matches(pattern, wait?.text) || matches(pattern, wait?.type),
    title: (title) => matches(pattern, title),
  }),
  with: (pattern) => ({ frame: (frame) => isAt(pattern, frame) }),
  without: (pattern) => ({ frame: (frame) => isAt(pattern, frame), without: true }),
};

// A page has no addresses of frames' objects and no method tables.
const others: Readonly<Partial<Record<QueryName, Maker<string>>>> = {
  module: (name) => ({ frame: ({ module }) => module !== undefined && moduleName(module) === moduleName(name) }),
  state: (list) => ({ stack: ({ state }) => list.toLowerCase().split(',').includes(state) }),
  address: (hex) => ({ stack: ({ task, wait }) => isAddress(task, hex) || isAddress(wait?.address, hex) }),
  task: (hex) => ({ stack: ({ task }) => isAddress(task, hex) }),
  type: (part) => ({ frame: ({ method }) => method.includes(part), stack: ({ wait }) => wait?.type?.includes(part) ?? false }),
  thread: (id) => ({ stack: ({ thread }) => thread === Number(id) }),
  request: (pattern) => ({ stack: (stack) => variants(stack).some((labels) => isRequest(labels, pattern)) }),
  trace: (id) => ({ stack: ({ labels }) => labels?.trace?.toLowerCase().startsWith(id.toLowerCase()) ?? false }),
  label: (wanted) => ({ stack: (stack) => variants(stack).some((labels) => hasLabel(labels, wanted)) }),
  // Of equal stacks the oldest counts.
  'older-than': (time) => ({
    stack: ({ age }) => age !== undefined && age.atLeastMs >= (durationOf(time) ?? Number.POSITIVE_INFINITY),
  }),
};

/** Names of filters that a page cannot answer, because it lacks the data. */
export const unanswered: readonly QueryName[] = ['methodtable'];

type Labels = TreeStack['labels'];

/** The labels of a stack: those of the first of equal ones, and the others' values where these are known. */
function variants({ labels, shares, equal }: TreeStack): Labels[] {
  const others = Object.entries(shares ?? {}).flatMap(([name, values]) =>
    values.map(({ value }) => ({ ...labels, [name]: value })),
  );
  return [labels, ...others, ...(equal?.members ?? []).map((member) => member.labels)];
}

/** A whole text, in which `*` of the pattern stands for anything. */
function fits(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const value = text.toLowerCase();
  const last = parts.pop();
  if (last === undefined) return value === first;
  if (!value.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - at >= last.length && value.endsWith(last);
}

/** Path or route, with or without its method, with or without its query. */
function isRequest(labels: Labels, pattern: string): boolean {
  const request = labels?.request;
  if (request === undefined) return false;
  const [method = ''] = request.split(' ');
  const path = request.slice(method.length + 1);
  const paths = [path, path.split('?')[0] ?? '', ...(labels?.route === undefined ? [] : [labels.route])];
  return paths.some((one) => fits(one, pattern) || fits(`${method} ${one}`, pattern));
}

/** A name, of a field also the part behind its last dot, and a value if one is given. */
function hasLabel(labels: Labels, wanted: string): boolean {
  const [name = '', ...value] = wanted.split('=');
  return Object.entries(labels ?? {}).some(
    ([key, text]) =>
      (fits(key, name) || fits(key.slice(key.lastIndexOf('.') + 1), name)) && (value.length === 0 || fits(text, value.join('='))),
  );
}

/** The stacks of a finding, by its id, or of all findings of a rule. */
function ofFinding(name: string, findings: readonly FindingRecord[]): Condition {
  const ids = new Set(findings.filter(({ id, rule }) => id === name || rule === name).flatMap(stacksOf));
  return { stack: ({ id }) => ids.has(id) };
}

/** The condition, or why there is none. */
function conditionOf(option: QueryOption, value: string, findings: readonly FindingRecord[]): Condition | string {
  const wrong = complaint(option, value);
  if (wrong !== undefined) return wrong;
  if (option.name === 'finding') return ofFinding(value, findings);
  const pattern = option.kind === 'pattern' ? compiled(value) : undefined;
  if (option.kind === 'pattern' && pattern === undefined) return `${option.name}: needs a regular expression`;
  const condition = pattern ? patterns[option.name]?.(pattern) : others[option.name]?.(value);
  return condition ?? `${option.name}: is only supported by the tool`;
}

function complaint({ name, kind, words }: QueryOption, value: string): string | undefined {
  if (kind === 'address' && !/^(0x)?[0-9a-f`]+$/i.test(value)) return `${name}: needs an address in hex`;
  if (kind === 'number' && !/^[1-9][0-9]*$/.test(value)) return `${name}: needs a number above 0`;
  if (kind === 'duration' && durationOf(value) === undefined) return `${name}: needs a time such as 30s`;
  const unknown = kind === 'words' ? value.split(',').find((word) => !words.includes(word.toLowerCase())) : undefined;
  return unknown === undefined ? undefined : `${name}: does not know '${unknown}'`;
}

/** Milliseconds of `500ms`, `30s`, `2m`, `1h`, or of seconds. */
function durationOf(text: string): number | undefined {
  const [, number, unit = 's'] = /^([0-9]*\.?[0-9]+)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const ms =
    number === undefined ? 0 : Number(number) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as 'ms' | 's' | 'm' | 'h'];
  return ms > 0 ? ms : undefined;
}

/** As the tool reads patterns: ignoring case, and without constructs that can take exponential time on hostile text. */
function compiled(pattern: string): RegExp | undefined {
  if (/\(\?[=!<]|\\[1-9k]/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return undefined;
  }
}

function matches(pattern: RegExp, text: string | undefined): boolean {
  return text !== undefined && pattern.test(text.slice(0, mostSearched));
}

function isAt(pattern: RegExp, frame: TreeFrame): boolean {
  return (
    matches(pattern, frame.method) ||
    (frame.file !== undefined && frame.line !== undefined && matches(pattern, `${frame.file}:${frame.line}`))
  );
}

function moduleName(module: string): string {
  return module.toLowerCase().replace(/\.(dll|exe)$/, '');
}

function isAddress(known: string | undefined, typed: string): boolean {
  return known !== undefined && digits(known) === digits(typed);
}

function digits(address: string): string {
  return address.toLowerCase().replaceAll('`', '').replace(/^0x/, '').replace(/^0+/, '');
}
