// The part of a page's address behind #: what is selected and how it is shown, so that an address can be sent to somebody.
import type { Direction } from '../merge/boxes';
import type { Model } from '../merge/model';

const directions: readonly Direction[] = ['outer', 'inner', 'route', 'method'];

export interface Place {
  /** Key of the selected stack, or its id. */
  readonly stack?: string | undefined;
  readonly table: boolean;
}

export function fragmentOf(model: Model, place: Place): string {
  const parts: [string, string][] = [];
  if (place.stack !== undefined) parts.push(['stack', place.stack]);
  if (place.table) parts.push(['view', 'table']);
  if (model.direction !== 'outer') parts.push(['by', model.direction]);
  if (model.direction === 'route' && model.label !== 'route') parts.push(['label', model.label]);
  if (model.direction === 'method') parts.push(['method', model.method]);
  if (model.query !== '') parts.push(['search', model.query]);
  if (model.onlyFound) parts.push(['only', '1']);
  if (model.chosen !== undefined) parts.push(['finding', model.chosen]);
  return parts.length === 0 ? '' : `#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Sets the model as a fragment says; anything else in it is ignored. */
export function readFragment(fragment: string, model: Model): Place {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const direction = directions.find((one) => one === parts.get('by'));
  if (direction !== undefined) model.direction = direction;
  model.label = parts.get('label') ?? model.label;
  model.method = parts.get('method') ?? model.method;
  if (model.direction === 'method' && model.method === '') model.direction = 'outer';
  model.query = (parts.get('search') ?? model.query).slice(0, 500);
  model.onlyFound = parts.get('only') === '1' || model.onlyFound;
  model.chosen = parts.get('finding') ?? model.chosen;
  return { stack: parts.get('stack') ?? undefined, table: parts.get('view') === 'table' };
}
