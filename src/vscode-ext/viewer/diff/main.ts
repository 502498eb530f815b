// Starts the page of a comparison, or of what only grows, in the element `viewer`.
import type { DiffPage } from '../model/diff';
import type { GrowthPage } from '../model/growth';
import { readData } from '../shell/host';
import { GrowthView } from './growth';
import { DiffView } from './view';

const root = document.getElementById('viewer');
const growth = document.getElementById('async2-growth');
if (root) {
  const shown = growth
    ? readData<GrowthPage>(growth).then((page) => new GrowthView(root, page))
    : readData<DiffPage>(document.getElementById('async2-diff')).then((page) => new DiffView(root, page));
  shown.catch((error) => root.append(`What this page compares cannot be read: ${String(error)}`));
}
