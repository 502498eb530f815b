// How to start `dotnet-async2`: the program, and the arguments before the tool's own.

export type ToolOrigin = 'setting' | 'manifest' | 'bundled' | 'path' | 'global';

export interface ToolCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Working directory; a manifest's tool is only known below its folder. */
  readonly cwd?: string;
  readonly origin: ToolOrigin;
  /** The file that determines which version runs; remembered versions depend on it. */
  readonly file: string;
}

/** A program is started directly, an assembly by `dotnet`. */
export function commandOf(file: string, origin: ToolOrigin): ToolCommand {
  const assembly = file.toLowerCase().endsWith('.dll');
  return { program: assembly ? 'dotnet' : file, args: assembly ? [file] : [], origin, file };
}

/** The tool of a manifest: `dotnet` finds the right version. */
export function commandOfManifest(manifest: string, folder: string): ToolCommand {
  return { program: 'dotnet', args: ['tool', 'run', 'dotnet-async2', '--'], cwd: folder, origin: 'manifest', file: manifest };
}

/** As typed in a shell, for messages. */
export function spelled(command: ToolCommand): string {
  return [command.program, ...command.args].join(' ');
}
