using System.Globalization;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Sos.Hosting;

/// <summary>Facts about the target that hosts know but do not expose in a common way.</summary>
internal static class HostedTarget
{
    /// <summary>The error for a process that the debugger no longer holds.</summary>
    public const string Detached = "the debugger has detached from this process, and it runs: earlier answers are no longer valid; attach to it again (process attach --pid PID), or run dotnet-async2 PID";

    private const int MagicSize = 18;

    /// <summary>The file of the dump that the host has open; null if unknown.</summary>
    public static string? DumpPath(ITarget? target) => PathIn(target?.ToString()) ?? OpenCore();

    /// <summary>Why there is no runtime to read, and the fix.</summary>
    /// <param name="target">What the host has open.</param>
    /// <param name="isFound">The host found one.</param>
    public static string WhyNoRuntime(ITarget? target, bool isFound)
    {
        if (target is not { IsDump: false } && DumpPath(target) is { } path && Target.DamageOf(path) is { } damage)
            return SafeText.Escape($"{damage.Text.Split(';')[0]}, and the .NET runtime cannot be read without the rest; copy the whole dump again, or write a new one: dotnet-async2 dump collect PID", ascii: true);
        return isFound
            ? "there is a .NET runtime in this target, but the host has no DAC for it (libmscordaccore.so, mscordaccore.dll), which must be of exactly the same build: runtimes shows which one; type setclrpath FOLDER with the folder of that runtime, or setsymbolserver -ms"
            : "dumpasync2 needs a .NET runtime, and the host sees none in this target: it is a native program, or its runtime is not loaded yet; runtimes shows what the host sees";
    }

    /// <summary>Whether a process is certainly no longer held: it runs on this machine, has the runtime where the host found it, and nobody traces it.</summary>
    public static bool IsDetached(ClrRuntime runtime)
    {
        if (!OperatingSystem.IsLinux() || runtime.DataTarget.DataReader.ProcessId is not (> 0 and var pid))
            return false;
        try
        {
            string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{pid}");
            // The pid of a process on another machine may belong to another process here.
            string start = runtime.ClrInfo.ModuleInfo.ImageBase.ToString("x", CultureInfo.InvariantCulture) + "-";
            return File.ReadLines(folder + "/status").Any(line => line.StartsWith("TracerPid:", StringComparison.Ordinal) && line.AsSpan(10).Trim() is "0")
                && File.ReadLines(folder + "/maps").Any(line => line.StartsWith(start, StringComparison.Ordinal));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    // "Target OS: LINUX Architecture: X64 ProcessId: 6314 (0x18AA) /home/me/shop.dmp" (dotnet/diagnostics, Target.cs)
    private static string? PathIn(string? text)
    {
        int start = text?.IndexOf("ProcessId: ", StringComparison.Ordinal) ?? -1;
        int end = start < 0 ? -1 : text!.IndexOfAny([')', '>'], start);
        return end >= 0 && text![(end + 1)..].Trim() is { Length: > 0 } path && File.Exists(path) ? path : null;
    }

    // A debugger that does not say so has the file mapped; if several files are, it is unknown which one is open.
    private static string? OpenCore()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            IEnumerable<string> open = Directory.EnumerateFileSystemEntries("/proc/self/fd").Select(link => new FileInfo(link).LinkTarget).OfType<string>();
            IEnumerable<string> mapped = File.ReadLines("/proc/self/maps").Where(line => line.Contains('/', StringComparison.Ordinal)).Select(line => line[line.IndexOf('/', StringComparison.Ordinal)..]);
            string[] cores = [.. open.Concat(mapped).Distinct().Where(IsCore).Take(2)];
            return cores.Length == 1 ? cores[0] : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // elf(5): e_type ET_CORE
    private static bool IsCore(string path)
    {
        try
        {
            // Opening a pipe or a device would block.
            if (!path.StartsWith('/') || path.StartsWith("/dev/", StringComparison.Ordinal) || !File.Exists(path) || new FileInfo(path).Length < MagicSize)
                return false;
            Span<byte> start = stackalloc byte[MagicSize];
            using FileStream file = File.OpenRead(path);
            return file.ReadAtLeast(start, MagicSize, throwOnEndOfStream: false) == MagicSize && start.StartsWith("\u007fELF"u8) && start[16] == 4 && start[17] == 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
