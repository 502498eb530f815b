// Keys of boxes: hashes of the frames on the path to them, so that folds and selection survive a new page, a filter
// and a refresh. Two boxes with the same key would be confused, so boxes.ts gives one of them another key.

const half = 0x4000000;

/** Key of a child of `key`, reached through `part`; an integer below 2^52. */
export function childKey(key: number, part: number): number {
  let low = Math.imul((key % half) ^ (part % half), 0x9e3779b1);
  low ^= low >>> 15;
  let high = Math.imul(Math.floor(key / half) + Math.floor(part / half) + 1, 0x85ebca6b) ^ Math.imul(low, 0xc2b2ae35);
  high ^= high >>> 13;
  return ((high >>> 0) % half) * half + ((low >>> 0) % half);
}

export function textKey(text: string): number {
  let low = 0x811c9dc5;
  let high = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high + unit, 0x5bd1e995) ^ (high >>> 11);
  }
  return ((high >>> 0) % half) * half + ((low >>> 0) % half);
}
