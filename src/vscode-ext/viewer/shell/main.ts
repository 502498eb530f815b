// Starts the viewer in the element `viewer` of a panel or a page.
import { findHost } from './host';
import { followKeys } from './shortcuts';
import { Viewer } from './viewer';

const root = document.getElementById('viewer');
if (root) {
  const host = findHost();
  const viewer = new Viewer(root, host);
  followKeys(viewer);
  host.start((message) => viewer.receive(message));
}
