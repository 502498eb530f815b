// Requests that the viewer may send. A page that shows text from a target is not trusted with more.
import type { FromViewer } from '../../viewer/model/messages';
import type { NoteRecord } from '../../viewer/model/tree';

/** More than any note, stack or link has. */
const longestText = 2_000_000;
const longestPicture = 200_000_000;
const mostNotes = 10_000;

export function readFromViewer(message: unknown): FromViewer | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, ...fields } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
    case 'export':
    case 'stop':
    case 'debug':
    case 'refresh':
      return { type };
    case 'open':
      return isStack(fields.stack) && isIndex(fields.frame) ? { type, stack: fields.stack, frame: fields.frame } : undefined;
    case 'select':
      return isStack(fields.stack) ? { type, stack: fields.stack } : undefined;
    case 'members':
      return isStack(fields.stack) && isIndex(fields.start) ? { type, stack: fields.stack, start: fields.start } : undefined;
    case 'copy':
      return isText(fields.text, longestText) ? { type, text: fields.text } : undefined;
    case 'link':
      return isText(fields.key, 200) ? { type, key: fields.key } : undefined;
    case 'picture':
      return (fields.format === 'svg' || fields.format === 'png') && isText(fields.data, longestPicture)
        ? { type, format: fields.format, data: fields.data }
        : undefined;
    case 'pin':
      return typeof fields.pinned === 'boolean' ? { type, pinned: fields.pinned } : undefined;
    case 'save':
      return Array.isArray(fields.notes) ? { type, notes: fields.notes.slice(0, mostNotes).flatMap(noteIn) } : undefined;
    default:
      return undefined;
  }
}

function noteIn(value: unknown): NoteRecord[] {
  const { key, text } = (value ?? {}) as Record<string, unknown>;
  return isText(key, 1000) && isText(text, 10_000) ? [{ key, text }] : [];
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /^s\d{1,10}$/.test(value);
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}
