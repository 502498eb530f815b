// Formats counts: `x4,312`, `1 stack`, `12 stacks`; the same in every culture.

export function grouped(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function times(count: number): string {
  return `x${grouped(count)}`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
