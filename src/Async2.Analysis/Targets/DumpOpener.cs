using System.Collections.Immutable;
using System.Globalization;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>Opens a core dump or minidump; says what a file is that only looks like one.</summary>
internal static class DumpOpener
{
    private const string CollectCure = "write a new one with: dotnet-async2 dump collect PID";

    public static Target Open(string path, TargetOptions options)
    {
        CheckFile(path);
        ImmutableArray<Problem> problems = CheckFormat(path);
        DataTarget dataTarget = Load(path, problems);
        try
        {
            var origin = new TargetOrigin { DumpPath = path, Pid = DumpedPid(dataTarget), Problems = problems };
            return RuntimeOpener.Open(dataTarget, options, origin, NoRuntime(path, problems), trustTargetPath: false);
        }
        catch (Exception e) when (e is not TargetException)
        {
            throw Unreadable(path, problems, e);
        }
    }

    private static void CheckFile(string path)
    {
        if (Directory.Exists(path))
            throw new TargetException($"'{path}' is a folder, not a dump.", "name the dump file in it.");
        if (!File.Exists(path))
            throw new TargetException($"There is no dump '{path}'.", "check the path; " + CollectCure);
    }

    private static ImmutableArray<Problem> CheckFormat(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            Span<byte> magic = stackalloc byte[8];
            int count = file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false);
            DumpFormat format = DumpFormats.Recognize(magic[..count]);
            if (format.Complaint is { } complaint)
                throw new TargetException($"'{path}' {complaint}", format.Cure!);
            if (format.IsElf && ElfCoreExtent.Expected(file) is { } expected && expected > file.Length)
                return [CutShort(file.Length, expected)];
            return [];
        }
        catch (UnauthorizedAccessException e)
        {
            throw new TargetException($"You may not read '{path}'.", $"sudo chown $USER '{path}'", e);
        }
        catch (IOException e)
        {
            throw new TargetException($"'{path}' cannot be read: {e.Message}", "check the disk and the path.", e);
        }
    }

    private static Problem CutShort(long length, long expected) => new(
        ProblemCodes.DumpIncomplete,
        string.Create(CultureInfo.InvariantCulture,
            $"the dump is cut short: it has {length:N0} of {expected:N0} bytes (disk full or copy interrupted?); stacks in the missing part are missing here"));

    private static DataTarget Load(string path, ImmutableArray<Problem> problems)
    {
        try
        {
            return DataTarget.LoadDump(path, RuntimeOpener.ReaderOptions());
        }
        catch (Exception e)
        {
            throw Unreadable(path, problems, e);
        }
    }

    private static int? DumpedPid(DataTarget dataTarget)
        => dataTarget.DataReader.ProcessId is var pid && pid > 0 ? pid : null;

    private static TargetException NoRuntime(string path, ImmutableArray<Problem> problems) => problems.IsEmpty
        ? new TargetException($"'{path}' holds no .NET runtime: it is a dump of a native program, or of one compiled with Native AOT.", CollectCure)
        : Unreadable(path, problems, null);

    private static TargetException Unreadable(string path, ImmutableArray<Problem> problems, Exception? e) => problems.IsEmpty
        ? new TargetException($"'{path}' cannot be read as a dump: {e?.Message}", CollectCure, e)
        : new TargetException($"'{path}' cannot be used: {problems[0].Text.Split(';')[0]}.", "copy the dump again in whole, or " + CollectCure, e);
}
