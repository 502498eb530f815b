// What is not drawn: frames of frameworks, of methods and of namespaces.
import type { Hides } from './ownForest';
import type { TreeFrame } from './tree';

export interface HiddenFrames {
  /** Frames of frameworks. */
  frameworks: boolean;
  /** Methods, in full C# form, and namespaces or types, which end with a dot. */
  readonly names: Set<string>;
}

/** Undefined if nothing is hidden. */
export function hidesOf({ frameworks, names }: HiddenFrames): Hides | undefined {
  if (!frameworks && names.size === 0) return undefined;
  const spaces = [...names].filter((name) => name.endsWith('.'));
  return (frame) =>
    (frameworks && frame.framework === true) ||
    names.has(frame.method) ||
    spaces.some((space) => `${frame.type ?? frame.method}.`.startsWith(space));
}

/** `Shop.Data.` of `Shop.Data.Repository`; undefined for a type without a namespace. */
export function namespaceOf({ type }: TreeFrame): string | undefined {
  const bare = type?.split('<')[0] ?? '';
  const at = bare.lastIndexOf('.');
  return at > 0 ? bare.slice(0, at + 1) : undefined;
}
