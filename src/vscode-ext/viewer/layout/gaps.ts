// Distances in the drawing, in pixels.

export const gaps = { column: 48, row: 14, root: 26, margin: 24 } as const;
