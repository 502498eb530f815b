// Stands for `dotnet-async2`: what it says comes from a file of options beside the program that starts it.
//   { "version": "0.1.0", "data": "plain" | "hostile", "count": 10000, "long": 1000000 }
import { readFileSync } from 'node:fs';
import { serve } from './adapter.mjs';
import { hostileData, plainData } from './data.mjs';

const [optionsFile, command] = process.argv.slice(2);
const { version = '0.1.0', data = 'plain', count = 3, long = 1000 } = JSON.parse(readFileSync(optionsFile, 'utf8'));
const answers = data === 'hostile' ? hostileData(long) : plainData(count);

switch (command) {
  case '--version':
    console.log(version);
    break;
  case 'ps':
    for (const verdict of ['pending', 'awaiting'])
      for (const index of [0, 1, 2, 3])
        console.log(JSON.stringify({ pid: 4711 + index, name: answers.method(index, 0), verdict, ...(verdict === 'pending' ? {} : { stacks: 3 }), commandLine: answers.method(index, 1) }));
    break;
  case 'dap':
    serve(answers);
    break;
  default:
    console.error(`the toy has no command ${command}`);
    process.exitCode = 2;
}
