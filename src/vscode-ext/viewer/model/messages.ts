// What the viewer and whoever shows it tell each other.
import type { TreePage } from './tree';

/** What whoever shows the viewer tells it. */
export type ToViewer =
  | { readonly type: 'page'; readonly page: TreePage }
  /** Forget the tree: another one follows. */
  | { readonly type: 'reset' }
  /** Show this stack and make it the current one. */
  | { readonly type: 'focus'; readonly stack: string }
  /** The tree cannot be had; says why. */
  | { readonly type: 'failed'; readonly text: string };

/** What the viewer asks of it. */
export type FromViewer =
  | { readonly type: 'ready' }
  /** Open the source of a frame (0 = innermost) and make the stack the current one. */
  | { readonly type: 'open'; readonly stack: string; readonly frame: number }
  | { readonly type: 'export' }
  | { readonly type: 'refresh' };
