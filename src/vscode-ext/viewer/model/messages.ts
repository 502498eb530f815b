// Messages between the viewer and its host.
import type { TreePage } from './tree';

/** Messages from the host. */
export type ToViewer =
  | { readonly type: 'page'; readonly page: TreePage }
  /** Discard the tree: another one follows. */
  | { readonly type: 'reset' }
  /** Show this stack and select it. */
  | { readonly type: 'focus'; readonly stack: string }
  /** The tree is not available; says why. */
  | { readonly type: 'failed'; readonly text: string };

/** Messages to the host. */
export type FromViewer =
  | { readonly type: 'ready' }
  /** Open the source of a frame (0 = innermost) and select the stack. */
  | { readonly type: 'open'; readonly stack: string; readonly frame: number }
  | { readonly type: 'export' }
  | { readonly type: 'refresh' };
