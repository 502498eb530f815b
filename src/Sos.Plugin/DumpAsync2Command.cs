using System.Runtime.CompilerServices;
using Async2.Sos.Hosting;
using Async2.Sos.Text;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Sos;

/// <summary>
/// The command <c>dumpasync2</c> as hosts of SOS see it: options, help, and one line for whatever goes wrong. Its signatures name
/// nothing but the host's own types, so that a host can look at it before any private library is found.
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

    /// <summary>The runtime as the host found it; there is one without <see cref="Runtime"/> where the host has no DAC for it.</summary>
    [ServiceImport(Optional = true)]
    public IRuntime? FoundRuntime { get; set; }

    /// <summary>Answers of earlier commands, as long as the target does not move.</summary>
    [ServiceImport(Optional = true)]
    public AnswerStore? Answers { get; set; }

    [Option(Name = "--tasks", Aliases = ["-t"], Help = "Also pending tasks that somebody waits for when no async method does.")]
    public bool Tasks { get; set; }

    [Option(Name = "--completed", Aliases = ["-c"], Help = "Also completed tasks of async methods that are still on the heap; with --tasks any.")]
    public bool Completed { get; set; }

    [Option(Name = "--fields", Aliases = ["-f"], Help = "Show arguments and locals of each frame.")]
    public bool Fields { get; set; }

    [Option(Name = "--stats", Help = "Count frames by method instead of showing stacks.")]
    public bool Stats { get; set; }

    [Option(Name = "--coalesce", Help = "Show stacks, and portions of stacks, that are the same once, with a count.")]
    public bool Coalesce { get; set; }

    [Option(Name = "--waiting", Help = "Only stacks that wait, not those that run or could.")]
    public bool Waiting { get; set; }

    [Option(Name = "--deadlocks", Help = "Only stacks that wait for one another in a cycle.")]
    public bool Deadlocks { get; set; }

    [Option(Name = "--json", Help = "For programs: the schema async2.stacks/1, as dotnet-async2 writes it.")]
    public bool Json { get; set; }

    [Option(Name = "--help", Aliases = ["-h"], Help = "Show this help.")]
    public bool Help { get; set; }

    /// <summary>What hosts append to the list of options.</summary>
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
            // The one kind that no host takes for a crash of its own.
            throw new DiagnosticsException(ErrorLine.Of(exception), exception);
        }
    }

    // Compiled only when it is called: what it names may be missing.
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
        };
        // A host that does not say what it has open is dotnet-dump or like it.
        bool isDump = Target?.IsDump ?? true;
        if (!isDump && HostedTarget.IsDetached(runtime))
            throw new DiagnosticsException(HostedTarget.Detached, null!);
        Answers answers = AnswerStore.Of(Answers, runtime, isDump, isDump ? HostedTarget.DumpPath(Target) : null);
        DumpAsync2Answer.Run(asked, answers, new HostConsole(Console, Write, runtime));
    }
}
