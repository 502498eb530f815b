// What somebody typed to find stacks, in the language of the tool's searches: filters such as method:Pay state:blocked, which all have
// to hold, and plain text. Without a filter all that was typed is plain text, spaces included.
import { placeOf, shortName } from './names';
import { type QueryName, type QueryOption, queryOptions } from './queryOptions';
import type { TreeFrame, TreeStack } from './tree';

/** What a stack has to have: a frame that passes, or itself; or, the other way round, must not have. */
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
  /** What makes no sense; nothing is found then. */
  readonly wrong: string | undefined;
}

/** What is looked for in a text that may be a megabyte long. */
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

/** Reads what was typed. A filter without its value is not there yet. */
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

/** Cuts at spaces; those between quotation marks belong to a word. */
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

// Of a frame's own object, and of method tables, a page says nothing.
const others: Readonly<Partial<Record<QueryName, Maker<string>>>> = {
  module: (name) => ({ frame: ({ module }) => module !== undefined && moduleName(module) === moduleName(name) }),
  state: (list) => ({ stack: ({ state }) => list.toLowerCase().split(',').includes(state) }),
  address: (hex) => ({ stack: ({ task, wait }) => isAddress(task, hex) || isAddress(wait?.address, hex) }),
  task: (hex) => ({ stack: ({ task }) => isAddress(task, hex) }),
  type: (part) => ({ frame: ({ method }) => method.includes(part), stack: ({ wait }) => wait?.type?.includes(part) ?? false }),
  thread: (id) => ({ stack: ({ thread }) => thread === Number(id) }),
};

/** The names of filters that a page cannot answer: it lacks what they ask for. */
export const unanswered: readonly QueryName[] = ['methodtable'];

/** The condition, or why there is none. */
function conditionOf(option: QueryOption, value: string): Condition | string {
  const wrong = complaint(option, value);
  if (wrong !== undefined) return wrong;
  const pattern = option.kind === 'pattern' ? compiled(value) : undefined;
  if (option.kind === 'pattern' && pattern === undefined) return `${option.name}: wants a regular expression`;
  const condition = pattern ? patterns[option.name]?.(pattern) : others[option.name]?.(value);
  return condition ?? `${option.name}: is a filter of the tool only`;
}

function complaint({ name, kind, words }: QueryOption, value: string): string | undefined {
  if (kind === 'address' && !/^(0x)?[0-9a-f`]+$/i.test(value)) return `${name}: wants an address in hex`;
  if (kind === 'number' && !/^[1-9][0-9]*$/.test(value)) return `${name}: wants a number from 1 on`;
  const unknown = kind === 'words' ? value.split(',').find((word) => !words.includes(word.toLowerCase())) : undefined;
  return unknown === undefined ? undefined : `${name}: does not know '${unknown}'`;
}

/** As the tool reads patterns: in any case, and without what can take forever on a hostile text. */
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
