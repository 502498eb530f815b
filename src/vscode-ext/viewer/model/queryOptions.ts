// Made from QueryOptionTable by the tests: "npm run accept" writes it again.

export type QueryName = 'method' | 'module' | 'state' | 'waiting-on' | 'with' | 'without' | 'address' | 'task' | 'methodtable' | 'type' | 'thread' | 'older-than' | 'request' | 'trace' | 'label' | 'finding';

export interface QueryOption {
  readonly name: QueryName;
  readonly aliases: readonly string[];
  readonly kind: 'pattern' | 'name' | 'address' | 'number' | 'duration' | 'words';
  readonly words: readonly string[];
  readonly help: string;
}

export const queryOptions: readonly QueryOption[] = [
  { name: 'method', aliases: [], kind: 'pattern', words: [], help: 'Only stacks with a matching method, folded ones included' },
  { name: 'module', aliases: [], kind: 'name', words: [], help: 'Only stacks with a frame of this module, with or without .dll' },
  { name: 'state', aliases: [], kind: 'words', words: ['awaiting', 'scheduled', 'active', 'blocked', 'deadlocked', 'completed'], help: 'Only stacks in this state, or several with commas' },
  { name: 'waiting-on', aliases: ['waiting'], kind: 'pattern', words: [], help: 'Only stacks whose wait matches: name, details or type' },
  { name: 'with', aliases: [], kind: 'pattern', words: [], help: 'Only stacks with a matching method or file:line' },
  { name: 'without', aliases: [], kind: 'pattern', words: [], help: 'Only stacks without a matching method or file:line' },
  { name: 'address', aliases: [], kind: 'address', words: [], help: "Only stacks with this object: a frame's, a task, or what they wait for" },
  { name: 'task', aliases: [], kind: 'address', words: [], help: 'Only the stack with this task, by its address' },
  { name: 'methodtable', aliases: [], kind: 'address', words: [], help: 'Only stacks with an object of this method table' },
  { name: 'type', aliases: [], kind: 'name', words: [], help: "Only stacks with this text in the type of an object or in a frame's method" },
  { name: 'thread', aliases: [], kind: 'number', words: [], help: 'Only stacks on this thread, by its managed id' },
  { name: 'older-than', aliases: [], kind: 'duration', words: [], help: 'Only stacks that have provably waited for at least this time' },
  { name: 'request', aliases: [], kind: 'name', words: [], help: 'Only stacks that work for a request with this path or route; * stands for anything' },
  { name: 'trace', aliases: [], kind: 'name', words: [], help: 'Only stacks of the trace whose id begins so' },
  { name: 'label', aliases: [], kind: 'name', words: [], help: 'Only stacks with this label: an AsyncLocal by its field, or culture, scope, activity and others; * stands for anything' },
  { name: 'finding', aliases: [], kind: 'name', words: [], help: 'Only the stacks of a finding, by its id, or of all findings of a rule' },
];
