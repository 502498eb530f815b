// How `dotnet-async2` is started: the program, and the words that come before the tool's own.

export type ToolOrigin = 'setting' | 'manifest' | 'path' | 'global';

export interface ToolCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Where it has to be started; a tool of a manifest is only known below it. */
  readonly cwd?: string;
  readonly origin: ToolOrigin;
  /** The file that decides which version runs, for a memory of versions. */
  readonly file: string;
}

/** A program is started as it is, an assembly by `dotnet`. */
export function commandOf(file: string, origin: ToolOrigin): ToolCommand {
  const assembly = file.toLowerCase().endsWith('.dll');
  return { program: assembly ? 'dotnet' : file, args: assembly ? [file] : [], origin, file };
}

/** The tool of a manifest: `dotnet` knows which version is meant. */
export function commandOfManifest(manifest: string, folder: string): ToolCommand {
  return { program: 'dotnet', args: ['tool', 'run', 'dotnet-async2', '--'], cwd: folder, origin: 'manifest', file: manifest };
}

/** As one would type it, for messages. */
export function spelled(command: ToolCommand): string {
  return [command.program, ...command.args].join(' ');
}
