// Requests that the viewer may send. A page that shows text from a target is not trusted with more.
import type { FromViewer } from '../../viewer/model/messages';

export function readFromViewer(message: unknown): FromViewer | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, stack, frame } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
    case 'export':
    case 'refresh':
      return { type };
    case 'open':
      return typeof stack === 'string' && /^s\d{1,10}$/.test(stack) && Number.isInteger(frame) && (frame as number) >= 0
        ? { type, stack, frame: frame as number }
        : undefined;
    default:
      return undefined;
  }
}
