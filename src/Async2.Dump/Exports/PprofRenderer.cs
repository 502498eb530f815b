using System.IO.Compression;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Labels;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering;
using Async2.Analysis.Rendering.Exports;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Exports.Wire;
using Google.Protobuf;

namespace Async2.Dump.Exports;

/// <summary>A profile for pprof, compressed by gzip: each group of equal stacks is a sample whose value is its count, with labels for what they wait for, state, route and age.</summary>
internal sealed class PprofRenderer : IRenderer
{
    private static readonly string[] LabelsOfStacks = [LabelNames.Request, LabelNames.Route, LabelNames.Trace];

    /// <inheritdoc/>
    public string Format => "pprof";

    /// <inheritdoc/>
    public void Render(StackView snapshot, RenderOptions options, Stream output)
    {
        var tables = new PprofTables();
        Profile profile = tables.Profile;
        profile.SampleType.Add(new Wire.ValueType { Type = tables.Text("stacks"), Unit = tables.Text("count") });
        profile.DefaultSampleType = tables.Text("stacks");
        profile.TimeNanos = snapshot.Target.TakenAt is { } taken ? (taken - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick : 0;
        foreach (string comment in Comments(snapshot))
            profile.Comment.Add(tables.Text(comment));
        foreach (LogicalStack stack in ExportedStacks.Of(snapshot, options))
            profile.Sample.Add(SampleOf(stack, tables));
        using var compressed = new GZipStream(output, CompressionLevel.Optimal, leaveOpen: true);
        profile.WriteTo(compressed);
    }

    private static Sample SampleOf(LogicalStack stack, PprofTables tables)
    {
        var sample = new Sample { Value = { stack.Count } };
        foreach (ExportFrame frame in ExportFrame.OutermostFirst(stack).Reverse())
            sample.LocationId.Add(tables.Location(frame));
        // A sample without a place would be dropped.
        if (sample.LocationId.Count == 0)
            sample.LocationId.Add(tables.Location(new ExportFrame(ExportFrame.WaitName(stack) ?? "no frames")));
        Add("state", ExportFrame.StateOf(stack));
        Add("wait", ExportFrame.WaitName(stack));
        Add("resource", stack.WaitingOn?.Resource?.Name);
        Add("idle", stack.Idle);
        foreach (string name in LabelsOfStacks)
            Add(name, stack.Labels.FirstOrDefault(label => label.Name == name)?.Value);
        Add("key", stack.Key);
        if (stack.Thread is { } thread)
            sample.Label.Add(new Label { Key = tables.Text("thread"), Num = thread });
        if (stack.Age is { AtLeastMs: > 0 } age)
            sample.Label.Add(new Label { Key = tables.Text("age"), Num = age.AtLeastMs, NumUnit = tables.Text("milliseconds") });
        return sample;

        void Add(string key, string? value)
        {
            if (value is not null)
                sample.Label.Add(new Label { Key = tables.Text(key), Str = tables.Text(SafeText.Escape(value)) });
        }
    }

    private static IEnumerable<string> Comments(StackView view)
    {
        if (!view.Complete)
            yield return "The answer is partial: stacks are missing.";
        foreach (Finding finding in view.Findings)
            yield return SafeText.Escape($"{finding.Rule}: {finding.Text}");
        foreach (Problem problem in view.Problems)
            yield return SafeText.Escape($"{problem.Code}: {problem.Text}");
    }
}
