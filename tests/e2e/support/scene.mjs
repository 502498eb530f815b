// A test with a picture: what was on screen when it failed is kept, and its words stand in the message.
import { test } from 'node:test';

/** @param editorOf gives the editor, which is there only when the test runs */
export function scenes(editorOf) {
  return (name, act) => test(name, async context => {
    const editor = editorOf();
    try {
      await act(editor, context);
    } catch (error) {
      await editor?.workbench.screenshot(`failed-${name.replace(/\W+/g, '-').slice(0, 60)}`).catch(() => {});
      const seen = await editor?.workbench.onScreen().catch(reason => `could not be read: ${reason}`);
      throw seen ? new Error(`${error.message ?? error}\n\nOn the screen:\n${seen}`, { cause: error }) : error;
    }
  });
}
