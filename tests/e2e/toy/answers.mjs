// One method for each request that the toy adapter knows.

/** @param data of data.mjs */
export class Answers {
  constructor(data) {
    this.data = data;
  }

  initialize() {
    return { supportsConfigurationDoneRequest: true, supportsDelayedStackTraceLoading: true, supportsExceptionInfoRequest: false };
  }

  threads() {
    const threads = [];
    for (let stack = 0; stack < this.data.count; stack++) threads.push({ id: stack + 1, name: this.data.name(stack) });
    return { threads };
  }

  stackTrace({ threadId, startFrame = 0, levels = 0 }) {
    const { depth } = this.data;
    const stackFrames = [];
    const end = levels > 0 ? Math.min(depth, startFrame + levels) : depth;
    for (let frame = startFrame; frame < end; frame++)
      stackFrames.push({ id: threadId * 1000 + frame, name: this.data.method(threadId - 1, frame), line: frame + 1, column: 1, source: this.sourceOf(threadId - 1) });
    return { stackFrames, totalFrames: depth };
  }

  scopes() {
    return { scopes: [{ name: 'Locals', variablesReference: 1, expensive: false }] };
  }

  variables() {
    return { variables: [0, 1, 2, 3].map(index => ({ name: `v${index}`, variablesReference: 0, ...this.data.value(index) })) };
  }

  source() {
    return { content: this.data.verdict };
  }

  sourceOf(stack) {
    return { name: this.data.file(stack).split('/').at(-1), sourceReference: stack + 1 };
  }

  'async2/stacks'({ start = 0, count = 200 }) {
    const stacks = [];
    for (let stack = start; stack < Math.min(this.data.count, start + count); stack++)
      stacks.push({ id: `s${stack + 1}`, thread: stack + 1, count: 1, state: 'awaiting', name: this.data.name(stack), wait: this.data.wait(stack), frame: this.data.method(stack, 0) });
    return { total: this.data.count, stacks };
  }

  'async2/locate'({ stack, frame }) {
    return { source: this.sourceOf(Number(stack.slice(1)) - 1), line: frame + 1, column: 1 };
  }

  /** All in one page; a node for each frame that differs from those outside of it. */
  'async2/tree'() {
    const frames = [];
    const frameNumbers = new Map();
    const nodes = { frame: [], joins: [] };
    const nodeNumbers = new Map();
    const stacks = [];
    for (let stack = 0; stack < this.data.count; stack++) {
      let outer = -1;
      for (let depth = this.data.depth - 1; depth >= 0; depth--) {
        const method = this.data.method(stack, depth);
        if (!frameNumbers.has(method)) {
          frameNumbers.set(method, frames.length);
          frames.push({ method, name: method, type: method, module: method, file: this.data.file(stack), line: 1, place: `${method}:1`, kind: 'continuation', exactness: 'exact' });
        }
        const key = `${outer}/${frameNumbers.get(method)}`;
        if (!nodeNumbers.has(key)) {
          nodeNumbers.set(key, nodes.frame.length);
          nodes.frame.push(frameNumbers.get(method));
          if (nodes.frame.length - 2 !== outer) nodes.joins.push([nodes.frame.length - 1, outer]);
        }
        outer = nodeNumbers.get(key);
      }
      const text = this.data.wait(stack);
      stacks.push({ id: `s${stack + 1}`, count: 1, state: 'awaiting', frames: this.data.depth, node: outer, wait: { kind: 'task', text, short: text } });
    }
    return { schema: 'async2.tree/1', page: 0, head: this.head(frames.length), frames, nodes, stacks };
  }

  head(frames) {
    const { count, verdict } = this.data;
    return {
      target: { kind: 'dump', path: verdict, os: 'linux', architecture: 'x64', runtime: verdict, families: ['runtime-async'] },
      totals: { stacks: count, frames, groups: count }, complete: true, verdict,
      findings: [{ rule: verdict, severity: 'error', confidence: 'certain', text: verdict, stacks: ['s1'] }],
      problems: [{ code: 'A2D1001', text: verdict }],
    };
  }
}
