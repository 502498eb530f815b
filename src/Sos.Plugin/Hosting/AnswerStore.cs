using Async2.Analysis;
using Async2.Analysis.Awaiters;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Sos.Hosting;

/// <summary>
/// The result of reading a runtime. The host keeps it, and discards it when the target runs; so an answer is never older than
/// what the debugger itself shows.
/// </summary>
[ServiceExport(Scope = ServiceScope.Runtime)]
public sealed class AnswerStore : IDisposable
{
    // The host inspects signatures before it can find private libraries, so no types of those are named here.
    private readonly ClrRuntime? _runtime;
    private object? _answers;

    /// <param name="runtime">The host's runtime; null if the host has no DAC for it. A required service would fail before the command starts.</param>
    public AnswerStore([ServiceImport(Optional = true)] ClrRuntime? runtime) => _runtime = runtime;

    /// <summary>Lets go of the dump's file, if it was mapped; the host does this when it has another target.</summary>
    public void Dispose()
    {
        (_answers as Answers)?.Target.Dispose();
        _answers = null;
    }

    internal static Answers Of(AnswerStore? store, ClrRuntime runtime, bool isDump, string? dumpPath)
    {
        store = store is { _runtime: not null } && ReferenceEquals(store._runtime, runtime) ? store : new AnswerStore(runtime);
        if (store._answers is not Answers answers)
        {
            HostCommands.Current = new PluginHost();
            store._answers = answers = new Answers(Analysis.Targets.Target.FromRuntime(runtime, isDump, dumpPath));
        }
        return answers;
    }
}

/// <summary>Everything that was read from a target. Questions about which stacks to show, and how, are answered from it; the target is not read again.</summary>
internal sealed class Answers(Analysis.Targets.Target target)
{
    // Only --deep, and tasks where there are very many, need a second reading: two models let a user go there and back, and a third would cost a debugger
    // as much memory again.
    private const int MostKept = 2;

    // The one that was asked last is at the end.
    private readonly List<AnalyzedTarget> _kept = [];

    public Analysis.Targets.Target Target { get; } = target;

    public ObjectTypes Types { get; } = new(target);

    /// <summary>An answer; a partial one, which is not kept, if reading was interrupted.</summary>
    public StackView To(AnalysisOptions options, CancellationToken cancellation)
    {
        if (_kept.Find(read => read.Answers(options)) is { } known)
        {
            _kept.Remove(known);
            _kept.Add(known);
            return known.Ask(options, cancellation);
        }
        AnalyzedTarget read = AnalyzedTarget.Analyze(Target, options, null, cancellation);
        if (cancellation.IsCancellationRequested)
            return read.Snapshot;
        if (_kept.Count == MostKept)
            _kept.RemoveAt(0);
        _kept.Add(read);
        return read.Snapshot;
    }
}
