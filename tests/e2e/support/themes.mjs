/** VS Code's themes: the id (one that does not exist changes nothing), and the classes by which its window and a page in it show which kind it is. */
export const themes = {
  light: { id: 'Light Modern', window: 'vs', page: 'vscode-light' },
  dark: { id: 'Dark Modern', window: 'vs-dark', page: 'vscode-dark' },
  contrast: { id: 'Default High Contrast', window: 'hc-black', page: 'vscode-high-contrast' },
  'contrast-light': { id: 'Default High Contrast Light', window: 'hc-light', page: 'vscode-high-contrast-light' },
};
