// State that the viewer saves while its panel is hidden. It is validated when it is read back.
import type { Camera } from '../layout/camera';
import type { Model } from '../model/model';
import { states } from '../model/states';

const mostKeys = 5000;

export interface Kept {
  readonly selected: string | undefined;
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number } | undefined;
}

export function remember(model: Model, camera: Camera, selected: string | undefined): unknown {
  return {
    direction: model.direction,
    query: model.query,
    onlyFound: model.onlyFound,
    withIdle: model.withIdle,
    chosen: model.chosen,
    hidden: [...model.hidden],
    touched: model.fold.touched,
    open: [...model.fold.open].slice(0, mostKeys),
    most: [...model.fold.most].slice(0, mostKeys),
    pinned: [...model.fold.pinned].slice(0, mostKeys),
    selected,
    camera: { x: camera.x, y: camera.y, zoom: camera.zoom },
  };
}

export function recall(kept: unknown, model: Model): Kept {
  if (typeof kept !== 'object' || kept === null) return { selected: undefined, camera: undefined };
  const record = kept as Record<string, unknown>;
  model.direction = record.direction === 'inner' ? 'inner' : 'outer';
  model.query = typeof record.query === 'string' ? record.query : '';
  model.onlyFound = record.onlyFound === true;
  model.withIdle = record.withIdle === true;
  model.chosen = typeof record.chosen === 'string' ? record.chosen : undefined;
  for (const state of states) if (list(record.hidden).includes(state)) model.hidden.add(state);
  const { fold } = model;
  fold.touched = record.touched === true;
  for (const key of list(record.open)) if (typeof key === 'number') fold.open.add(key);
  for (const key of list(record.pinned)) if (typeof key === 'number') fold.pinned.add(key);
  for (const pair of list(record.most)) {
    const [key, most] = list(pair);
    if (typeof key === 'number' && typeof most === 'number') fold.most.set(key, most);
  }
  return { selected: typeof record.selected === 'string' ? record.selected : undefined, camera: cameraIn(record.camera) };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function cameraIn(value: unknown): Kept['camera'] {
  const { x, y, zoom } = (value ?? {}) as Record<string, unknown>;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof zoom !== 'number' || !(zoom > 0)) return undefined;
  return { x, y, zoom };
}
