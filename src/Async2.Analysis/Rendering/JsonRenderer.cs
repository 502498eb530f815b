using System.Text.Json;
using Async2.Analysis.Rendering.Wire;
using Async2.Analysis.Snapshots;
using Async2.Analysis.Stacks;

namespace Async2.Analysis.Rendering;

/// <summary>The answer for programs: schema <c>async2.stacks/1</c>, described in <c>docs/async2.stacks.schema.json</c>.</summary>
public sealed class JsonRenderer : IRenderer
{
    private static readonly WireJson Json = new(new JsonSerializerOptions(WireJson.Default.Options) { Encoder = new WireEncoder() });

    /// <inheritdoc/>
    public string Format => "json";

    /// <inheritdoc/>
    public void Render(AsyncSnapshot snapshot, RenderOptions options, Stream output)
    {
        JsonSerializer.Serialize(output, Document(snapshot, options), Json.StacksDocument);
        output.Write("\n"u8);
    }

    private static StacksDocument Document(AsyncSnapshot snapshot, RenderOptions options) => new()
    {
        Schema = StacksDocument.SchemaId,
        Target = Target(snapshot.Target),
        Totals = new TotalsRecord(snapshot.Totals.Stacks, snapshot.Totals.Frames, snapshot.Totals.Groups),
        Complete = snapshot.Complete,
        Stacks = snapshot.Stacks.Take(options.Limit ?? int.MaxValue).Select(Stack),
        Findings = snapshot.Findings.Select(Finding),
        Problems = snapshot.Problems.Select(problem => new ProblemRecord(problem.Code, problem.Text) { Address = Hex(problem.Address) }),
    };

    private static TargetRecord Target(TargetFacts target) => new()
    {
        Kind = target.Kind,
        Pid = target.Pid,
        Path = target.Path,
        Os = target.Os,
        Architecture = target.Architecture,
        Runtime = target.Runtime,
        Families = target.Families,
        FreezeMs = target.FreezeMs,
    };

    private static StackRecord Stack(LogicalStack stack) => new()
    {
        Id = stack.Id,
        Count = stack.Count,
        State = stack.State,
        Task = Hex(stack.Task),
        Thread = stack.Thread,
        WaitingOn = stack.WaitingOn is null ? null : Wait(stack.WaitingOn),
        Frames = stack.Frames.Select(Frame),
    };

    private static WaitingOnRecord Wait(WaitingOn wait) => new()
    {
        Kind = wait.Kind,
        Text = wait.Text,
        Address = Hex(wait.Address),
        Type = wait.Type,
        Stack = wait.Stack,
    };

    private static FrameRecord Frame(LogicalFrame frame) => new()
    {
        Kind = frame.Kind,
        Method = frame.Method,
        Type = frame.Type,
        Name = frame.Name,
        Module = frame.Module,
        File = frame.File,
        Line = frame.Line,
        IlOffset = frame.ILOffset,
        Exactness = frame.Exactness,
        Address = Hex(frame.Address),
    };

    private static FindingRecord Finding(Finding finding) => new()
    {
        Rule = finding.Rule,
        Severity = finding.Severity,
        Confidence = finding.Confidence,
        Text = finding.Text,
        Stacks = finding.Stacks,
    };

    private static string? Hex(ulong? address) => address is ulong known ? Words.Hex(known) : null;
}
