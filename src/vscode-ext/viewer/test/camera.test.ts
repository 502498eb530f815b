import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Camera } from '../layout/camera';
import { Model } from '../merge/model';
import { recall, remember } from '../shell/memory';

test('Zooming keeps what is under the pointer where it is', () => {
  const camera = new Camera();
  camera.move(30, -10);
  const before = { x: (200 - camera.x) / camera.zoom, y: (100 - camera.y) / camera.zoom };
  camera.zoomAt(0.5, 200, 100);
  assert.deepEqual({ x: (200 - camera.x) / camera.zoom, y: (100 - camera.y) / camera.zoom }, before);
  camera.zoomAt(1e-9, 0, 0);
  assert.ok(camera.zoom > 0.005);
});

test('Fitting shows the whole drawing and does not enlarge it', () => {
  const camera = new Camera();
  camera.fit({ width: 4000, height: 1000 }, 800, 600);
  const seen = camera.seen(800, 600);
  assert.ok(seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= 4000 && seen.y + seen.height >= 1000);
  camera.fit({ width: 10, height: 10 }, 800, 600);
  assert.equal(camera.zoom, 1);
});

test('Showing a part moves no further than necessary', () => {
  const camera = new Camera();
  camera.show({ x: 100, y: 100, width: 50, height: 50 }, 800, 600);
  assert.deepEqual([camera.x, camera.y], [0, 0]);
  camera.show({ x: 900, y: 100, width: 50, height: 50 }, 800, 600);
  assert.deepEqual([camera.x, camera.y], [-174, 0]);
  camera.show({ x: 0, y: 2000, width: 5000, height: 50 }, 800, 600);
  assert.equal(camera.x, 24);
});

test('A small drawing stays completely in view, and a big one fills the view except for a margin', () => {
  const camera = new Camera();
  camera.move(-99_999, 99_999);
  camera.hold({ width: 500, height: 400 }, 800, 600);
  assert.deepEqual([camera.x, camera.y], [0, 200]);
  camera.move(-99_999, 99_999);
  camera.hold({ width: 5000, height: 4000 }, 800, 600);
  assert.deepEqual([camera.x, camera.y], [800 - 5000 - 150, 150]);
});

test('Saved state is restored, and invalid state is ignored', () => {
  const model = new Model();
  model.direction = 'inner';
  model.query = 'gate';
  model.hidden.add('completed');
  model.fold.open.add(12);
  model.fold.most.set(12, 50);
  const camera = Object.assign(new Camera(), { x: 5, y: 6, zoom: 0.5 });
  const back = new Model();
  const kept = recall(JSON.parse(JSON.stringify(remember(model, camera, '12', true))), back);
  assert.deepEqual(kept, { selected: '12', camera: { x: 5, y: 6, zoom: 0.5 }, table: true });
  assert.deepEqual([back.direction, back.query, [...back.hidden], back.fold.most.get(12)], ['inner', 'gate', ['completed'], 50]);
  for (const odd of [undefined, null, 7, 'x', { open: 3, hidden: [{}], camera: { zoom: -1 } }]) {
    assert.deepEqual(recall(odd, new Model()), { selected: undefined, camera: undefined, table: false });
  }
});
