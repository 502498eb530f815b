using System.Collections.Immutable;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Dumps;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Memory;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>Opens a core dump or minidump; other files are rejected with their kind.</summary>
internal static class DumpOpener
{
    private static string CollectFix => "write a new one: " + HostCommands.Current.CollectDump("PID");

    // Maximum address space of a process (47 bits on x64, 48 on arm64).
    private const long LargestDump = 1L << 48;

    public static Target Open(string path, TargetOptions options)
    {
        CheckFile(path);
        ImmutableArray<Problem> problems = CheckFormat(path);
        GuardedReader? reader = null;
        try
        {
            reader = new GuardedReader(DataTarget.LoadDump(path, RuntimeOpener.ReaderOptions()).DataReader, CoreMapping.TryMap(path));
            var origin = new TargetOrigin { DumpPath = path, Pid = DumpedPid(reader), Problems = problems };
            return RuntimeOpener.Open(reader, options, origin, NoRuntime(path));
        }
        catch (TargetException) when (problems.IsEmpty && reader?.Failure is null)
        {
            throw;
        }
        catch (Exception e)
        {
            // In a truncated dump anything may seem to be missing, even the runtime: the truncation is the reason to report.
            throw Unreadable(path, problems, reader?.Failure ?? e);
        }
    }

    /// <summary>The dump could not be read, or not completely.</summary>
    public static TargetException Unreadable(string path, ImmutableArray<Problem> problems, Exception e) => e switch
    {
        _ when !problems.IsEmpty => new(
            $"'{path}' cannot be used: {problems[0].Text.Split(';')[0]}.", "copy the whole dump again, or " + CollectFix, e),
        IOException or UnauthorizedAccessException => new($"'{path}' cannot be read: {Reason(e)}.", "check the disk that it is on, or copy it to another one.", e),
        _ => new($"'{path}' cannot be read completely, so it is probably damaged: {Reason(e)}.", "copy the dump again and compare the two (sha256sum), or " + CollectFix, e),
    };

    /// <summary>Damage that is visible without reading the dump: that it is truncated. Null if it looks complete.</summary>
    public static Problem? Damage(string path)
    {
        try
        {
            return File.Exists(path) && !SpecialFile.Is(path) ? CheckFormat(path).FirstOrDefault() : null;
        }
        catch (TargetException)
        {
            return null;
        }
    }

    private static void CheckFile(string path)
    {
        if (Directory.Exists(path))
            throw new TargetException($"'{path}' is a folder, not a dump.", "name the dump file in it.");
        if (!File.Exists(path))
            throw new TargetException($"There is no dump '{path}'.", "check the path; or " + CollectFix);
        if (SpecialFile.Is(path))
            throw new TargetException($"'{path}' is a pipe or a device, not a file: a dump has to be readable at any position.", "write it to a file first, and name that.");
    }

    private static ImmutableArray<Problem> CheckFormat(string path)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            Span<byte> magic = stackalloc byte[DumpFormats.MagicSize];
            int count = file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false);
            DumpFormat format = DumpFormats.Recognize(magic[..count]);
            if (format.Rejection is { } rejection)
                throw new TargetException($"'{path}' {rejection}", format.Fix!.Replace("FILE", $"'{path}'", StringComparison.Ordinal));
            if (format.IsMinidump && MinidumpHeader.Streams(file) is { } streams && MinidumpHeader.Processor(file, streams) is { } processor && DumpFormats.RejectionOf(processor) is { } other)
                throw new TargetException($"'{path}' {other.Rejection}", other.Fix!);
            return (format.IsElf || format.IsMinidump) && DumpExtent.Expected(file) is { } extent ? Check(extent, file.Length) : [];
        }
        catch (UnauthorizedAccessException e)
        {
            throw new TargetException($"You may not read '{path}'.", $"run as a user who may, or: sudo chmod a+r '{path}'", e);
        }
        catch (IOException e)
        {
            throw new TargetException($"'{path}' cannot be read: {e.Message.TrimEnd('.')}.", "check the disk and the path.", e);
        }
    }

    private static ImmutableArray<Problem> Check(CoreExtent extent, long length)
    {
        if (extent.Bytes <= length)
            return [];
        string atLeast = extent.IsWhole ? "" : "at least ";
        FormattableString text = extent.Bytes > LargestDump
            ? $"the dump is damaged: its header states {extent.Bytes:N0} bytes, more than any process has; stacks may be missing or wrong here"
            : (FormattableString)$"the dump is truncated: it has {length:N0} of {atLeast}{extent.Bytes:N0} bytes (disk full or copy interrupted?); stacks in the missing part are missing here";
        return [new(ProblemCodes.DumpIncomplete, text.ToString(CultureInfo.InvariantCulture))];
    }

    private static int? DumpedPid(GuardedReader reader) => reader.ProcessId is var pid && pid > 0 ? pid : null;

    private static TargetException NoRuntime(string path)
        => new($"'{path}' has no .NET runtime: it is a dump of a native program, or of one compiled with Native AOT.", CollectFix);

    private static string Reason(Exception e) => ReadFault.Reason(e);
}
