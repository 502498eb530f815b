// Words and icons for stacks; the same in the view and in the quick pick.
import type { FrameRow, StackRow } from '../session/protocol';

/** Longer names are cut: nobody reads them in a row, and a label of a megabyte freezes the editor. */
const longestText = 400;

/** Text from a target as a label: it must not become an icon like `$(error)`, and bidirectional marks must not reorder it. */
export function plain(text: string): string {
  const short = text.length > longestText ? `${text.slice(0, longestText)}...` : text;
  return short.replaceAll('$(', '$\u200b(').replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

function escaped(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export interface StateIcon {
  /** Name of a codicon: the shape distinguishes states without colour. */
  readonly icon: string;
  readonly colour: string;
}

const icons: Readonly<Record<string, StateIcon>> = {
  awaiting: { icon: 'watch', colour: 'charts.blue' },
  scheduled: { icon: 'history', colour: 'charts.purple' },
  active: { icon: 'play-circle', colour: 'charts.green' },
  blocked: { icon: 'stop-circle', colour: 'charts.orange' },
  deadlocked: { icon: 'error', colour: 'charts.red' },
  completed: { icon: 'pass', colour: 'disabledForeground' },
};

export function iconOf(state: string): StateIcon {
  return Object.hasOwn(icons, state) ? (icons[state] as StateIcon) : { icon: 'circle-outline', colour: 'foreground' };
}

/** Text for screen readers: everything that the row shows by icon, colour and place. */
export function spokenStack(row: StackRow): string {
  const count = row.count === 1 ? '1 stack' : `${row.count.toLocaleString('en')} equal stacks`;
  return [plain(row.name), count, row.state, row.wait && `waits for ${plain(row.wait)}`, row.frame && `at ${plain(row.frame)}`]
    .filter(Boolean)
    .join(', ');
}

export function spokenFrame(frame: FrameRow): string {
  if (frame.label) return plain(frame.name);
  return [plain(frame.name), placeOf(frame), frame.subtle && 'of a framework'].filter(Boolean).join(', ');
}

/** `Orders.cs:42`, or nothing. */
export function placeOf(frame: FrameRow): string {
  const name = frame.source?.name ?? frame.source?.path?.split(/[\\/]/).at(-1);
  return name && frame.source?.path !== undefined && !frame.source.sourceReference ? `${plain(name)}:${frame.line}` : '';
}

/** Lines for the clipboard. */
export function copied(row: StackRow, frames: readonly FrameRow[]): string {
  const lines = frames.map((frame) => {
    const place = placeOf(frame);
    return frame.label ? `  [${frame.name}]` : `  ${frame.name}${place && !frame.name.includes(place) ? `  ${place}` : ''}`;
  });
  return [`${row.id} ${row.name}${row.wait ? ` - ${row.wait}` : ''} (${row.state})`, ...lines, ''].join('\n');
}
