// A debug adapter over standard input and output that answers from static data: the measure for ours, and a mouth for hostile text.
import { Answers } from './answers.mjs';

const separator = Buffer.from('\r\n\r\n');

export function serve(data) {
  const answers = new Answers(data);
  let number = 0;
  let pending = Buffer.alloc(0);
  const send = message => {
    const body = Buffer.from(JSON.stringify({ seq: ++number, ...message }));
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
    process.stdout.write(body);
  };
  const event = (name, body) => send({ type: 'event', event: name, body });
  process.stdin.on('data', chunk => {
    pending = Buffer.concat([pending, chunk]);
    for (let end = pending.indexOf(separator); end >= 0; end = pending.indexOf(separator)) {
      const length = Number(/Content-Length: (\d+)/i.exec(pending.subarray(0, end).toString())[1]);
      if (pending.length < end + 4 + length) return;
      const request = JSON.parse(pending.subarray(end + 4, end + 4 + length).toString());
      pending = pending.subarray(end + 4 + length);
      answer(request, answers, send, event);
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

function answer({ seq, command, arguments: given = {} }, answers, send, event) {
  const act = answers[command];
  send({ type: 'response', request_seq: seq, success: true, command, body: typeof act === 'function' ? act.call(answers, given) : {} });
  const stop = threadId => event('stopped', { reason: 'pause', threadId, allThreadsStopped: true });
  if (command === 'launch' || command === 'attach') event('initialized');
  if (command === 'configurationDone') stop(1);
  if (command === 'async2/select') stop(Number(given.stack.slice(1)));
  if (command === 'async2/refresh') {
    event('async2/changed', {});
    stop(1);
  }
  if (command === 'disconnect') setImmediate(() => process.exit(0));
}
