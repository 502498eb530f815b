// State that the viewer saves while its panel is hidden. It is validated when it is read back.
import type { Camera } from '../layout/camera';
import type { Direction } from '../merge/boxes';
import type { Model } from '../merge/model';
import { states } from '../model/states';
import type { NoteRecord } from '../model/tree';

const mostKeys = 5000;
const directions: readonly Direction[] = ['outer', 'inner', 'route', 'method'];

export interface Kept {
  readonly selected: string | undefined;
  readonly table: boolean;
  readonly camera: { readonly x: number; readonly y: number; readonly zoom: number } | undefined;
}

export function remember(model: Model, camera: Camera, selected: string | undefined, table: boolean): unknown {
  return {
    direction: model.direction,
    query: model.query,
    onlyFound: model.onlyFound,
    label: model.label,
    method: model.method,
    oldestFirst: model.oldestFirst,
    frameworks: model.hiddenFrames.frameworks,
    names: [...model.hiddenFrames.names].slice(0, mostKeys),
    notes: model.pins.all.slice(0, mostKeys),
    table,
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
  if (typeof kept !== 'object' || kept === null) return { selected: undefined, camera: undefined, table: false };
  const record = kept as Record<string, unknown>;
  model.direction = directions.find((one) => one === record.direction) ?? 'outer';
  model.label = typeof record.label === 'string' ? record.label : 'route';
  model.method = typeof record.method === 'string' ? record.method : '';
  model.oldestFirst = record.oldestFirst === true;
  model.hiddenFrames.frameworks = record.frameworks === true;
  for (const name of list(record.names)) if (typeof name === 'string') model.hiddenFrames.names.add(name);
  model.pins.take(list(record.notes).flatMap(noteIn));
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
  const selected = typeof record.selected === 'string' ? record.selected : undefined;
  return { selected, camera: cameraIn(record.camera), table: record.table === true };
}

function noteIn(value: unknown): NoteRecord[] {
  const { key, text } = (value ?? {}) as Record<string, unknown>;
  return typeof key === 'string' && typeof text === 'string' ? [{ key, text }] : [];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function cameraIn(value: unknown): Kept['camera'] {
  const { x, y, zoom } = (value ?? {}) as Record<string, unknown>;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof zoom !== 'number' || !(zoom > 0)) return undefined;
  return { x, y, zoom };
}
