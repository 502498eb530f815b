using System.Runtime.CompilerServices;
using Async2.Sos.Hosting;
using Async2.Sos.Text;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Sos;

/// <summary>
/// The command <c>dumpasync2</c> as SOS hosts see it: options, help, and one line for each error. Its signatures name
/// only the host's own types, so that a host can inspect it before any private library is found.
/// </summary>
[Command(Name = "dumpasync2", Aliases = ["DumpAsync2"], Help = "Shows what every async method waits for: runtime-async, classic, pooled, mixed.")]
public sealed partial class DumpAsync2Command : CommandBase
{
    /// <summary>The host's current runtime.</summary>
    [ServiceImport(Optional = true)]
    public ClrRuntime? Runtime { get; set; }

    /// <summary>What the host has open.</summary>
    [ServiceImport(Optional = true)]
    public ITarget? Target { get; set; }

    /// <summary>The runtime as the host found it; present without <see cref="Runtime"/> if the host has no DAC for it.</summary>
    [ServiceImport(Optional = true)]
    public IRuntime? FoundRuntime { get; set; }

    /// <summary>Answers of earlier commands, until the target runs.</summary>
    [ServiceImport(Optional = true)]
    public AnswerStore? Answers { get; set; }

    [Option(Name = "--tasks", Aliases = ["-t"], Help = "Also pending tasks that no async method waits for.")]
    public bool Tasks { get; set; }

    [Option(Name = "--completed", Aliases = ["-c"], Help = "Also completed tasks of async methods that are still on the heap; with --tasks any.")]
    public bool Completed { get; set; }

    [Option(Name = "--fields", Aliases = ["-f"], Help = "Show arguments and locals of each frame.")]
    public bool Fields { get; set; }

    [Option(Name = "--stats", Help = "Count frames by method instead of showing stacks.")]
    public bool Stats { get; set; }

    [Option(Name = "--coalesce", Help = "Show equal stacks, and equal parts of stacks, once with a count.")]
    public bool Coalesce { get; set; }

    [Option(Name = "--deep", Help = "Search the whole heap for waits that nothing can end, however long it takes.")]
    public bool Deep { get; set; }

    [Option(Name = "--no-deep", Help = "Do not search the heap for waits that nothing can end.")]
    public bool NoDeep { get; set; }

    [Option(Name = "--waiting", Help = "Only stacks that wait, not those that run or are ready to run.")]
    public bool Waiting { get; set; }

    [Option(Name = "--deadlocks", Help = "Only deadlocked stacks: those that wait for one another in a cycle.")]
    public bool Deadlocks { get; set; }

    [Option(Name = "--findings", Help = "Only what is wrong: deadlocks and other findings, without the stacks.")]
    public bool Findings { get; set; }

    [Option(Name = "--json", Help = "For programs: JSON in the schema async2.stacks/1.")]
    public bool Json { get; set; }

    [Option(Name = "--help", Aliases = ["-h"], Help = "Show this help.")]
    public bool Help { get; set; }

    /// <summary>Text that hosts append to the list of options.</summary>
    [HelpInvoke]
    public static string DetailedHelp() => HelpText.Details;

    /// <inheritdoc/>
    public override void Invoke()
    {
        try
        {
            if (Help)
                Write(HelpText.Whole);
            else
                Run();
        }
        catch (Exception exception) when (exception is not DiagnosticsException)
        {
            // The only exception type that no host treats as a crash of its own.
            throw new DiagnosticsException(ErrorLine.Of(exception), exception);
        }
    }

    // Compiled only when it is called: types that it names may be missing.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Run()
    {
        if (Runtime is not { } runtime)
            throw new DiagnosticsException(HostedTarget.WhyNoRuntime(Target, FoundRuntime is not null), null!);
        var asked = new DumpAsync2Options(Typed, Waiting, Deadlocks)
        {
            Tasks = Tasks,
            Completed = Completed,
            Fields = Fields,
            Stats = Stats,
            Coalesce = Coalesce,
            Json = Json,
            Findings = Findings,
            Deep = NoDeep ? false : Deep ? true : null,
        };
        // A host that does not name its target is dotnet-dump or similar.
        bool isDump = Target?.IsDump ?? true;
        if (!isDump && HostedTarget.IsDetached(runtime))
            throw new DiagnosticsException(HostedTarget.Detached, null!);
        Answers answers = AnswerStore.Of(Answers, runtime, isDump, isDump ? HostedTarget.DumpPath(Target) : null);
        DumpAsync2Answer.Run(asked, answers, new HostConsole(Console, Write, runtime));
    }
}
