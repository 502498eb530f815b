// Where to search for `dotnet-async2`, in order: the setting, a tool manifest above the folder, the extension itself, PATH, the global tools.
import { posix, win32 } from 'node:path';
import { commandOf, commandOfManifest, type ToolCommand } from './toolCommand';

export interface ToolPlaces {
  /** Value of the setting; empty when it is not set. */
  readonly setting: string;
  /** The workspace folder. */
  readonly folder?: string;
  /** A manifest decides which program runs, so it counts only in a folder that the user trusts. */
  readonly trusted: boolean;
  readonly pathVariable: string;
  readonly home: string;
  /** Folder of the extension, which may have brought the tool for its platform. */
  readonly extension: string;
  readonly windows: boolean;
  readonly isFile: (path: string) => boolean;
  readonly read: (path: string) => string | undefined;
}

export type ToolSearch = { readonly found: ToolCommand } | { readonly missing: 'setting' | 'everywhere'; readonly path?: string };

export function findTool(places: ToolPlaces): ToolSearch {
  const setting = places.setting.trim();
  if (setting !== '') {
    // A wrong setting must be reported, not skipped silently.
    const path = expandPath(setting, places);
    const file = [path, ...(places.windows ? [`${path}.exe`] : [])].find(places.isFile);
    return file ? { found: commandOf(file, 'setting') } : { missing: 'setting', path };
  }
  const found = inManifest(places) ?? inExtension(places) ?? inPath(places) ?? inGlobalTools(places);
  return found ? { found } : { missing: 'everywhere' };
}

/** `~/x` and `${workspaceFolder}/x`; relative paths are below the workspace folder. */
export function expandPath(path: string, places: Pick<ToolPlaces, 'folder' | 'home' | 'windows'>): string {
  const paths = places.windows ? win32 : posix;
  // A function, so that `$&` in a folder's name has no special meaning.
  const expanded = path.replace(/^~(?=[\\/]|$)/, () => places.home).replaceAll('${workspaceFolder}', () => places.folder ?? '');
  return paths.isAbsolute(expanded) || places.folder === undefined ? expanded : paths.join(places.folder, expanded);
}

function inManifest(places: ToolPlaces): ToolCommand | undefined {
  if (!places.trusted || places.folder === undefined) return undefined;
  const paths = places.windows ? win32 : posix;
  for (let folder = places.folder; ; folder = paths.dirname(folder)) {
    for (const name of ['.config/dotnet-tools.json', 'dotnet-tools.json']) {
      const file = paths.join(folder, name);
      const manifest = manifestOf(places.read(file));
      if (manifest?.hasTool) return commandOfManifest(file, places.folder);
      if (manifest?.isRoot) return undefined;
    }
    if (paths.dirname(folder) === folder) return undefined;
  }
}

function manifestOf(text: string | undefined): { hasTool: boolean; isRoot: boolean } | undefined {
  if (text === undefined) return undefined;
  try {
    const manifest = JSON.parse(text) as { isRoot?: unknown; tools?: Record<string, unknown> } | null;
    const names = Object.keys(manifest?.tools ?? {}).map((name) => name.toLowerCase());
    return { hasTool: names.includes('dotnet-async2'), isRoot: manifest?.isRoot === true };
  } catch {
    return undefined;
  }
}

/** It is of the same build as the extension. */
function inExtension(places: ToolPlaces): ToolCommand | undefined {
  const paths = places.windows ? win32 : posix;
  const file = paths.join(places.extension, 'tool', programName(places));
  return places.isFile(file) ? commandOf(file, 'bundled') : undefined;
}

function inPath(places: ToolPlaces): ToolCommand | undefined {
  const paths = places.windows ? win32 : posix;
  // A relative entry would depend on the open folder.
  const folders = places.pathVariable.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  const file = folders.map((folder) => paths.join(folder, programName(places))).find(places.isFile);
  return file ? commandOf(file, 'path') : undefined;
}

function inGlobalTools(places: ToolPlaces): ToolCommand | undefined {
  const paths = places.windows ? win32 : posix;
  const file = paths.join(places.home, '.dotnet', 'tools', programName(places));
  return places.isFile(file) ? commandOf(file, 'global') : undefined;
}

function programName(places: ToolPlaces): string {
  return places.windows ? 'dotnet-async2.exe' : 'dotnet-async2';
}
