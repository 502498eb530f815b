// The user's search, in the language of the tool's queries: filters such as method:Pay state:blocked, which all have
// to match, and plain text. Without a filter everything is plain text, spaces included.
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
  return has(stack.task, wanted) || has(wait?.text, wanted) || has(wait?.type, wanted) || has(wait?.address, wanted);
}

/** Plain text, anywhere. */
export function plain(text: string): Condition {
  return {
    frame: (frame) => frameHas(frame, text),
    stack: (stack) => stackHas(stack, text),
    title: (title) => has(title, text),
  };
}

/** Parses the search. A filter without its value is ignored. */
export function parseQuery(typed: string): Query {
  const words = wordsOf(typed);
  if (words.every((word) => word.option === undefined)) return { text: typed.toLowerCase(), filters: [], wrong: undefined };
  const filters: Condition[] = [];
  const rest: string[] = [];
  let wrong: string | undefined;
  for (const { option, value } of words) {
    if (option === undefined) rest.push(value);
    else if (value !== '') {
      const condition = conditionOf(option, value);
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
};

/** Names of filters that a page cannot answer, because it lacks the data. */
export const unanswered: readonly QueryName[] = ['methodtable'];

/** The condition, or why there is none. */
function conditionOf(option: QueryOption, value: string): Condition | string {
  const wrong = complaint(option, value);
  if (wrong !== undefined) return wrong;
  const pattern = option.kind === 'pattern' ? compiled(value) : undefined;
  if (option.kind === 'pattern' && pattern === undefined) return `${option.name}: needs a regular expression`;
  const condition = pattern ? patterns[option.name]?.(pattern) : others[option.name]?.(value);
  return condition ?? `${option.name}: is only supported by the tool`;
}

function complaint({ name, kind, words }: QueryOption, value: string): string | undefined {
  if (kind === 'address' && !/^(0x)?[0-9a-f`]+$/i.test(value)) return `${name}: needs an address in hex`;
  if (kind === 'number' && !/^[1-9][0-9]*$/.test(value)) return `${name}: needs a number above 0`;
  const unknown = kind === 'words' ? value.split(',').find((word) => !words.includes(word.toLowerCase())) : undefined;
  return unknown === undefined ? undefined : `${name}: does not know '${unknown}'`;
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
