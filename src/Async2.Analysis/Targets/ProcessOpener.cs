using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Copying;
using Async2.Analysis.Targets.Memory;
using Async2.Analysis.Targets.Processes;
using Async2.Analysis.Targets.Stopping;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets;

/// <summary>Opens a live process passively: its memory is read from outside and no code runs in it.</summary>
internal static class ProcessOpener
{
    private static string ListFix => HostCommands.Current.ListProcesses + "   lists the .NET processes you may read.";
    private const int AttemptLimit = 4;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private const string Gone = "no process has this id, or it has just ended";

    public static Target Open(int pid, TargetOptions options)
    {
        if (ProcFiles.IsForeign)
            throw Refused(pid, null);
        if (OwnProcesses.Contains(pid))
            throw new TargetException($"Process {pid} is this tool itself.", ListFix);
        if (Missing(pid) is { } why)
            throw NotRunning(pid, why);
        TimeSpan stoppedFor = default;
        for (int attempt = 1; ; attempt++)
        {
            Target target = OpenOnce(pid, options);
            stoppedFor += target.Origin.Copy?.StoppedFor ?? default;
            bool isInCollection = target.IsCopiedInCollection;
            // Under a debugger the result would be the same.
            if (!isInCollection || attempt == AttemptLimit || target.Origin.Copy is { IsHeld: true })
            {
                target.Origin = After(target.Origin, stoppedFor, isInCollection);
                return target;
            }
            target.Dispose();
            Thread.Sleep(Pause * attempt);
        }
    }

    /// <summary>Copies all of a process that is open, or stops it; it is read in that way from then on.</summary>
    /// <param name="target">It.</param>
    /// <param name="problems">What is said about it besides.</param>
    /// <param name="stoppedFor">How long it was stopped before.</param>
    public static void CopyAll(Target target, ImmutableArray<Problem> problems, TimeSpan stoppedFor)
    {
        for (int attempt = 1; ; attempt++)
        {
            target.Use(ProcessAccess.Take(target.Origin.Pid!.Value, FreezeMode.Copy, MemoryBudget.Bytes, RegisterFile.Read(target.Options.Registers), target.Options.StopLimit), problems);
            stoppedFor += target.Origin.Copy?.StoppedFor ?? default;
            bool isInCollection = target.IsCopiedInCollection;
            if (!isInCollection || attempt == AttemptLimit || target.Origin.Copy is { IsHeld: true })
            {
                target.Origin = After(target.Origin, stoppedFor, isInCollection);
                return;
            }
            Thread.Sleep(Pause * attempt);
        }
    }

    /// <summary>The path of the DAC that would be used for a process. Nothing is loaded, and the process is not stopped.</summary>
    /// <exception cref="TargetException">The process could not be read; the message says why.</exception>
    public static string FindDac(int pid, TargetOptions options)
    {
        try
        {
            ProcessCopy source = ProcessCopy.OfNothing(pid, freeze: null);
            using ProcessView view = source.View;
            using var reader = new GuardedReader(CopiedProcessReader.Of(source));
            return RuntimeOpener.FindDac(reader, options, view, NoRuntime(pid)).File.Name;
        }
        catch (Exception e) when (e is not TargetException)
        {
            throw Explain(pid, e, hasEnded: false);
        }
    }

    // The heap walk reports a collection in progress.
    private static TargetOrigin After(TargetOrigin origin, TimeSpan stoppedFor, bool isInCollection) => origin switch
    {
        { Copy: { StoppedFor: not null } copy } => origin with { Copy = copy with { StoppedFor = stoppedFor } },
        { Copy.IsHeld: true } => origin,
        _ when isInCollection => origin with { Problems = origin.Problems.Add(Collected(origin.Pid)) },
        _ => origin,
    };

    private static Problem Collected(int? pid) => new(
        ProblemCodes.NotFrozen,
        FormattableString.Invariant($"process {pid} was read while it ran, and a garbage collection interfered each of {AttemptLimit} times: many chains may be torn"));

    private static Target OpenOnce(int pid, TargetOptions options)
    {
        ProcessAccess? hold = null;
        GuardedReader? reader = null;
        try
        {
            hold = ProcessAccess.Take(pid, options.Freeze, MemoryBudget.Bytes, RegisterFile.Read(options.Registers), options.StopLimit);
            // On other systems ClrMD reads, and stops the process.
            ProcessCopy? source = !ProcessAccess.IsOurs ? null : hold.Copy ?? ProcessCopy.OfNothing(pid, hold.Freeze);
            reader = source is not null
                ? new(CopiedProcessReader.Of(source, hold.Freeze), hold.Copy?.Image)
                : new(DataTarget.AttachToProcess(pid, suspend: options.Freeze != FreezeMode.None, RuntimeOpener.ReaderOptions()).DataReader);
            var origin = new TargetOrigin { Pid = pid, Freeze = hold.Freeze, Copy = hold.Copy, Problems = hold.Problems, View = source?.View, IsToBeCopied = hold.IsToBeCopied };
            return RuntimeOpener.Open(reader, options, origin, NoRuntime(pid));
        }
        catch (TargetException) when (reader?.Failure is null && Missing(pid) is null)
        {
            hold?.Dispose();
            throw;
        }
        catch (Exception e)
        {
            hold?.Dispose();
            // The reader's own failure comes first: without memory, later errors only look as if something else were missing.
            throw Explain(pid, reader?.Failure ?? e, reader?.HasEnded == true);
        }
    }

    /// <summary>The process could not be read, or not completely.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="e">What happened.</param>
    /// <param name="hasEnded">The reader noticed its end, which the list of processes may show a little later.</param>
    public static TargetException Explain(int pid, Exception e, bool hasEnded) => e switch
    {
        // The reader notices the end of a process before the list of processes shows it.
        InvalidOperationException { Message: "The process has exited." or "The process has exited" } => Ended(pid, e),
        _ when hasEnded || Missing(pid) is not null => Ended(pid, e),
        UnauthorizedAccessException or IOException when ProcessAccess.IsOurs => Refused(pid, e),
        UnauthorizedAccessException or IOException => new TargetException(
            $"Process {pid} belongs to another user, or reading it is not permitted.", $"run as that user or as an administrator: {HostCommands.Current.Analyze(Text(pid))}", e),
        _ => new TargetException(
            $"Process {pid} could not be read: {ReadFault.Reason(e)}.",
            $"try again, or with --freeze full; or write a dump and read that: {HostCommands.Current.CollectDump(Text(pid))}; {HostCommands.Current.Diagnose(Text(pid))} says what prevents it.", e)
        {
            MayPass = true,
        },
    };

    private static TargetException Refused(int pid, Exception? e)
    {
        AccessDenial access = AccessDenial.Of(pid);
        return new($"Process {pid} may not be read: {access.Why}.", access.FixFor(pid), e);
    }

    private static TargetException Ended(int pid, Exception e) => new(
        $"Process {pid} ended while it was read.", "start it again; to analyze it later, write a dump: " + HostCommands.Current.CollectDump("PID"), e)
    {
        HasEnded = true,
    };

    private static TargetException NotRunning(int pid, string why) => new($"There is no running process {pid}: {why}.", ListFix) { HasEnded = true };

    private static TargetException NoRuntime(int pid) => new(
        $"Process {pid} has no .NET runtime loaded: it is a native program, one compiled with Native AOT, or one that is only just starting.", ListFix);

    /// <summary>Why there is nothing to read; null if the process exists.</summary>
    private static string? Missing(int pid)
    {
        if (pid <= 0)
            return "process ids are above 0";
        if (OperatingSystem.IsLinux() && ProcFiles.Status(pid, "State") is ['Z' or 'X', ..])
            return "it has ended, and its parent has not read its exit code yet (a zombie)";
        if (OperatingSystem.IsLinux() && ProcFiles.IsEnding(pid))
            return "it is ending";
        try
        {
            using var process = Process.GetProcessById(pid);
            return process.HasExited ? Gone : null;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            return Gone;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null; // It exists, but we have no right to query it.
        }
    }

    private static string Text(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
