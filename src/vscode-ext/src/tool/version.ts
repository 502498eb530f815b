// Versions of the tool, as `--version` prints them: `0.1.0+12a8b8c`, `1.2.0-beta.3`.

/** The first version that supports `dap` and the requests of docs/dap.md. */
export const oldestVersion = '0.1.0';

export interface Version {
  readonly numbers: readonly [number, number, number];
  readonly preview: boolean;
}

export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.exec(text.trim());
  if (!match) return undefined;
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], preview: match[4] !== undefined };
}

/** A preview is older than its release. */
export function isAtLeast(version: Version, least: Version): boolean {
  for (let index = 0; index < 3; index++) {
    const difference = (version.numbers[index] ?? 0) - (least.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return !version.preview || least.preview;
}
