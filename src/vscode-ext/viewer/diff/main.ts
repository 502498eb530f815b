// Starts the page of a comparison in the element `viewer`.
import type { DiffPage } from '../model/diff';
import { readData } from '../shell/host';
import { DiffView } from './view';

const root = document.getElementById('viewer');
if (root) {
  readData<DiffPage>(document.getElementById('async2-diff')).then(
    (page) => new DiffView(root, page),
    (error) => root.append(`What this page compares cannot be read: ${String(error)}`),
  );
}
