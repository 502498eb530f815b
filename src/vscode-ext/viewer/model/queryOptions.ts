// Made from QueryOptionTable by the tests: "npm run accept" writes it again.

export type QueryName = 'method' | 'module' | 'state' | 'waiting-on' | 'with' | 'without' | 'address' | 'task' | 'methodtable' | 'type' | 'thread';

export interface QueryOption {
  readonly name: QueryName;
  readonly aliases: readonly string[];
  readonly kind: 'pattern' | 'name' | 'address' | 'number' | 'words';
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
];
