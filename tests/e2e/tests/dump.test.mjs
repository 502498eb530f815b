// A dump of the scenarios, opened in the real VS Code: what is on screen is what the program says about itself.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openEditor } from '../support/editor.mjs';
import { scenes } from '../support/scene.mjs';
import { collectDump, startScenarios } from '../support/scenarios.mjs';
import { tool } from '../support/tools.mjs';

let editor;
const scene = scenes(() => editor);
let truth;

before(async () => {
  editor = await openEditor('dump', { settings: { 'async2.toolPath': tool } });
  const program = await startScenarios('--only', 'SemaphoreWait,WhenAllChildren,NestedCalls,TwoAwaiters');
  truth = program.truth;
  collectDump(program.pid, join(editor.workspace, 'shop.dmp'));
  await program.stop();
});
after(() => editor?.close());

scene('Open Dump shows every stack of the program in Call Stack', async () => {
  const { workbench } = editor;
  await workbench.command('Async Stacks: Open Dump...');
  await workbench.chooseFile(join(editor.workspace, 'shop.dmp'));
  await workbench.callStackRows().first().waitFor({ timeout: 30_000 });
  await editor.page.waitForTimeout(3000);
  await workbench.screenshot('call-stack');
  console.log(await workbench.labels(workbench.callStackRows()));
  console.log(await workbench.labels(workbench.stackViewRows()));
  console.log(await workbench.labels(workbench.variableRows()));
  console.log(await workbench.places());
});
