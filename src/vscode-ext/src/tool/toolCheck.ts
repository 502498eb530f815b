// Asks a tool for its version before anything depends on it.
import { type RunLimits, runTool } from './runTool';
import type { ToolCommand } from './toolCommand';
import { isAtLeast, oldestVersion, parseVersion, type Version } from './version';

export type ToolCheck =
  | { readonly kind: 'fine'; readonly version: string }
  | { readonly kind: 'too-old'; readonly version: string }
  /** The file exists but does not start, or is another program. */
  | { readonly kind: 'broken'; readonly text: string }
  /** A manifest names it, but `dotnet tool restore` was never run. */
  | { readonly kind: 'not-restored' };

/** The first start of .NET on a cold machine takes seconds. */
const limits: RunLimits = { seconds: 30 };

export async function checkTool(command: ToolCommand): Promise<ToolCheck> {
  const run = await runTool(command, ['--version'], limits);
  if (!run.ok && command.origin === 'manifest' && /dotnet tool restore/i.test(run.output + run.error))
    return { kind: 'not-restored' };
  return judge(run.ok, run.output, run.error);
}

export function judge(ok: boolean, output: string, error: string): ToolCheck {
  const first = output.trim().split(/\r?\n/, 1)[0] ?? '';
  const version = parseVersion(first);
  if (!ok || !version) return { kind: 'broken', text: (error || first || 'it printed nothing').slice(0, 500) };
  return { kind: isAtLeast(version, parseVersion(oldestVersion) as Version) ? 'fine' : 'too-old', version: first };
}
