// Messages between the viewer and its host.
import type { EqualRecord, NoteRecord, TreePage } from './tree';

/** Messages from the host. */
export type ToViewer =
  | { readonly type: 'page'; readonly page: TreePage }
  /** Discard the tree: another one follows. */
  | { readonly type: 'reset' }
  /** Show this stack and select it: by its id, or by its key. */
  | { readonly type: 'focus'; readonly stack: string }
  /** Show this finding, by its id. */
  | { readonly type: 'finding'; readonly id: string }
  /** What each of equal stacks has for itself, from `start` on. */
  | {
      readonly type: 'members';
      readonly stack: string;
      readonly start: number;
      readonly equal?: EqualRecord;
      readonly failed?: string;
    }
  /** The tree cannot be read again: the session has ended. */
  | { readonly type: 'ended' }
  /** The tree is not available; says why. */
  | { readonly type: 'failed'; readonly text: string };

/** Messages to the host. */
export type FromViewer =
  | { readonly type: 'ready' }
  /** Open the source of a frame (0 = innermost) and select the stack. */
  | { readonly type: 'open'; readonly stack: string; readonly frame: number }
  /** Make the stack the one of the Call Stack view. */
  | { readonly type: 'select'; readonly stack: string }
  | { readonly type: 'members'; readonly stack: string; readonly start: number }
  | { readonly type: 'copy'; readonly text: string }
  /** An address that leads to a stack. */
  | { readonly type: 'link'; readonly key: string }
  /** Write a drawing to a file: SVG as text, PNG in Base64. */
  | { readonly type: 'picture'; readonly format: 'svg' | 'png'; readonly data: string }
  /** Write a snapshot with these notes. */
  | { readonly type: 'save'; readonly notes: readonly NoteRecord[] }
  /** Compare later looks with this one, or with the one before each. */
  | { readonly type: 'pin'; readonly pinned: boolean }
  | { readonly type: 'export' }
  | { readonly type: 'stop' }
  /** Open it as a debug session. */
  | { readonly type: 'debug' }
  | { readonly type: 'refresh' };
