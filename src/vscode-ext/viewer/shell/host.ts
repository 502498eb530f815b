// The host of the viewer: a panel of VS Code, or a page opened from disk. The rest of the viewer does not depend on it.
import type { FromViewer, ToViewer } from '../model/messages';
import type { TreeFrame, TreePage } from '../model/tree';

export interface Host {
  /** In VS Code: can open editors, export, and read again. */
  readonly panel: boolean;
  /** Shown without a debug session, which can be begun. */
  readonly debugs: boolean;
  /** Starts to deliver messages. */
  start(receive: (message: ToViewer) => void): void;
  /** Opens a frame of a stack; `say` tells the user the result. */
  open(stack: string, index: number, frame: TreeFrame, say: (text: string) => void): void;
  send(message: FromViewer): void;
  /** Puts a text on the clipboard; `say` tells the user the result. */
  copy(text: string, say: (text: string) => void): void;
  /** The same with an address that leads to a stack. */
  copyLink(key: string, fragment: string, say: (text: string) => void): void;
  /** Writes a drawing to a file. */
  picture(format: 'svg' | 'png', data: string, name: string): void;
  /** The state saved when the viewer was last hidden. */
  load(): unknown;
  save(state: unknown): void;
}

interface VsCode {
  postMessage(message: FromViewer): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare const acquireVsCodeApi: undefined | (() => VsCode);

export function findHost(): Host {
  return typeof acquireVsCodeApi === 'function' ? new PanelHost(acquireVsCodeApi()) : new PageHost();
}

class PanelHost implements Host {
  readonly panel = true;
  readonly debugs = document.body.dataset.debugs === 'true';

  constructor(private readonly code: VsCode) {}

  start(receive: (message: ToViewer) => void): void {
    window.addEventListener('message', (event: MessageEvent<ToViewer>) => receive(event.data));
    this.code.postMessage({ type: 'ready' });
  }

  open(stack: string, index: number): void {
    this.code.postMessage({ type: 'open', stack, frame: index });
  }

  send(message: FromViewer): void {
    this.code.postMessage(message);
  }

  copy(text: string, say: (text: string) => void): void {
    this.code.postMessage({ type: 'copy', text });
    say('Copied');
  }

  copyLink(key: string, _fragment: string, say: (text: string) => void): void {
    this.code.postMessage({ type: 'link', key });
    say('Copied');
  }

  picture(format: 'svg' | 'png', data: string): void {
    this.code.postMessage({ type: 'picture', format, data: format === 'png' ? data.slice(data.indexOf(',') + 1) : data });
  }

  load(): unknown {
    return this.code.getState();
  }

  save(state: unknown): void {
    this.code.setState(state);
  }
}

/** The tree is part of the page, and there is no adapter to ask. */
class PageHost implements Host {
  readonly panel = false;
  readonly debugs = false;

  start(receive: (message: ToViewer) => void): void {
    readData<TreePage>(document.getElementById('async2-tree')).then(
      (page) => receive({ type: 'page', page }),
      (error) => receive({ type: 'failed', text: `The stacks in this page cannot be read: ${String(error)}` }),
    );
  }

  open(_stack: string, _index: number, frame: TreeFrame, say: (text: string) => void): void {
    if (frame.file === undefined) {
      say('No source is known for this frame.');
      return;
    }
    const place = frame.line === undefined ? frame.file : `${frame.file}:${frame.line}`;
    copy(place).then(
      () => say(`Copied ${place}`),
      () => say(place),
    );
  }

  send(): void {}

  copy(text: string, say: (text: string) => void): void {
    copy(text).then(
      () => say('Copied'),
      () => say('This browser does not let a page copy.'),
    );
  }

  copyLink(_key: string, fragment: string, say: (text: string) => void): void {
    this.copy(`${location.href.replace(/#.*$/, '')}${fragment}`, say);
  }

  picture(format: 'svg' | 'png', data: string, name: string): void {
    const link = document.createElement('a');
    link.href = format === 'png' ? data : URL.createObjectURL(new Blob([data], { type: 'image/svg+xml' }));
    link.download = `${name}.${format}`;
    link.click();
  }

  load(): unknown {
    return undefined;
  }

  save(): void {}
}

/** What a page has in it, plain or compressed if it is big. */
export async function readData<T>(element: HTMLElement | null): Promise<T> {
  const text = element?.textContent ?? '';
  if (element?.getAttribute('type') === 'application/json') return JSON.parse(text) as T;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(whole).json()) as T;
}

async function copy(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}

/** Address under which VS Code opens a source file; undefined if the path is not absolute. */
export function editorLink(frame: TreeFrame): string | undefined {
  const path = frame.file?.replaceAll('\\', '/');
  if (path === undefined || !/^(\/[^/]|[A-Za-z]:\/)/.test(path)) return undefined;
  const encoded = path.split('/').map(encodeURIComponent).join('/').replace(/%3A/i, ':');
  return `vscode://file${encoded.startsWith('/') ? '' : '/'}${encoded}${frame.line === undefined ? '' : `:${frame.line}`}`;
}
