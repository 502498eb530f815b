// For whom the stacks work that hang on a finding, in words: as the tool says it (FindingLabelFormatter).
import { clip } from './names';
import { grouped } from './numbers';
import type { FindingLabelRecord, FindingRecord } from './tree';

/** The rest is in the JSON answer. */
const mostLabels = 3;
const mostValues = 3;
const longest = 60;
const hidden = '<redacted>';

/** `requests: GET /orders/{id} (398), POST /pay (12), and 17 of 5 other routes; e.g. trace 4bf92f35`. */
export function labelLines(finding: FindingRecord): string[] {
  return (finding.labels ?? []).slice(0, mostLabels).flatMap((label) => lineOf(label) ?? []);
}

function lineOf(label: FindingLabelRecord): string | undefined {
  const isRequest = label.name === 'request';
  const shown = label.largest.slice(0, mostValues);
  if (shown.length === 0 || (!isRequest && shown.every(({ value }) => value === hidden))) return undefined;
  const unlike = label.values > shown.length && label.values === label.count;
  const text = unlike
    ? `${grouped(label.values)} different, e.g. ${shown.map(({ value }) => clip(value, longest)).join(', ')}`
    : shown.map(({ value, count }) => `${clip(value, longest)} (${grouped(count)})`).join(', ') + restOf(label, isRequest);
  const trace = shown[0]?.trace;
  return `${isRequest ? 'requests' : label.name}: ${text}${trace === undefined ? '' : `; e.g. trace ${trace}`}`;
}

function restOf({ largest, values, count }: FindingLabelRecord, isRequest: boolean): string {
  const shown = largest.slice(0, mostValues);
  const others = values - shown.length;
  if (others === 0) return '';
  const rest = count - shown.reduce((sum, share) => sum + share.count, 0);
  const kind = isRequest ? 'route' : 'value';
  return `, and ${rest === others ? '' : `${grouped(rest)} of `}${grouped(others)} other ${others === 1 ? kind : `${kind}s`}`;
}
