// Debug configurations: settings provide missing fields, and missing required fields are reported before anything starts.
import { expandPath } from '../tool/toolSearch';

export const debugType = 'async2';

/** A configuration from launch.json; any field may be missing or have a wrong type. */
export type RawConfiguration = Readonly<Record<string, unknown>>;

export interface SessionDefaults {
  readonly maxThreads: number;
  readonly groupStacks: boolean;
  readonly justMyCode: boolean;
  readonly symbolPath: readonly string[];
  readonly trace: string;
}

export interface ConfigurationPlaces {
  readonly folder?: string;
  readonly home: string;
  readonly windows: boolean;
}

/** The configuration, completed with the user's settings. */
export function withDefaults<T extends RawConfiguration>(
  configuration: T,
  defaults: SessionDefaults,
  places: ConfigurationPlaces,
): T {
  const paths = ['dumpPath', 'trace', 'dac'].flatMap((name) => {
    const path = configuration[name];
    return typeof path === 'string' && path !== '' ? [[name, expandPath(path, places)]] : [];
  });
  return {
    maxThreads: defaults.maxThreads,
    groupStacks: defaults.groupStacks,
    justMyCode: defaults.justMyCode,
    ...(defaults.symbolPath.length > 0 ? { symbolPath: defaults.symbolPath.map((path) => expandPath(path, places)) } : {}),
    ...(defaults.trace !== '' ? { trace: expandPath(defaults.trace, places) } : {}),
    ...configuration,
    ...Object.fromEntries(paths),
  };
}

/** What a configuration may do besides reading: load native code, write a file. */
export function harmfulFields(configuration: RawConfiguration): { readonly field: 'dac' | 'trace'; readonly path: string }[] {
  return (['dac', 'trace'] as const).flatMap((field) => {
    const path = configuration[field];
    return typeof path === 'string' && path !== '' ? [{ field, path }] : [];
  });
}

export type ConfigurationFault = 'request' | 'dumpPath' | 'processId';

/** What prevents its start; undefined if nothing does. */
export function faultOf(configuration: RawConfiguration): ConfigurationFault | undefined {
  switch (configuration.request) {
    case 'launch':
      return typeof configuration.dumpPath === 'string' && configuration.dumpPath.trim() !== '' ? undefined : 'dumpPath';
    case 'attach':
      return isProcessId(configuration.processId) ? undefined : 'processId';
    default:
      return 'request';
  }
}

function isProcessId(value: unknown): boolean {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text.trim());
}
