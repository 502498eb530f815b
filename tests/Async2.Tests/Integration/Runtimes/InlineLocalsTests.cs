using System.Globalization;
using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Code.Locals;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Code.Suspension;
using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Locals;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Values;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Runtimes;

/// <summary>
/// Variables of .NET 11 frames. Continuations and methods are those of dumps/Net11Fixture; what the JIT of .NET 11 would have written
/// down of them is drawn, because the debug info there is .NET 10's.
/// </summary>
[Trait("Category", "Integration")]
public sealed class InlineLocalsTests : IDisposable
{
    // Continuation_56_0_5: the first reference that is the method's own, and the number.
    private const int First = 0x38;
    private const int Number = 0x50;

    private readonly ScenarioProcess _process = ScenarioProcess.Start(ScenarioBuild.Net11, ["waiting"], ("DOTNET_TieredCompilation", "0"));
    private readonly Target _target;
    private readonly LoadedModules _modules;
    private readonly HeapIndex _index;
    private readonly ProblemLog _problems = new();

    public InlineLocalsTests()
    {
        _target = Target.Open(_process.Pid.ToString(CultureInfo.InvariantCulture), new TargetOptions());
        _modules = new LoadedModules(_target, _problems);
        _index = new HeapWalk(_target, new StateMachineLayouts(_target), LayoutFacts.None, _problems).Run((_, _) => { }, CancellationToken.None);
    }

    [Fact]
    public void What_a_suspension_point_saves_is_read_by_name()
        => Assert.Equal("this = Counter<string>, order = 17", Read("SellAsync", new(0, First), new(2, Number)));

    [Fact]
    public void Invalid_variable_numbers_are_ignored()
        => Assert.Equal("order = 17", Read("SellAsync", new(-3, 0x20), new(-4, 0x28), new(2, Number), new(99, Number)));

    [Fact]
    public void A_static_method_counts_from_its_first_argument() => Assert.Equal("order = 17", Read("ServeAsync", new AsyncVariable(1, Number)));

    [Fact]
    public void A_place_behind_the_continuation_that_cannot_be_read_is_left_out()
        => Assert.Equal("order = 17", Read("ServeAsync", new(1, Number), new(0, 0x7fffff0)));

    [Fact]
    public void Without_notes_nothing_is_shown() => Assert.Empty(Locals().Read(new SuspensionPoint { Method = Point("ServeAsync").Point.Method }, Point("ServeAsync").Frame));

    public void Dispose()
    {
        _target.Dispose();
        _process.Dispose();
    }

    private string Read(string method, params AsyncVariable[] variables)
    {
        (SuspensionPoint point, ContinuationRow frame) = Point(method);
        // Through the bytes that a JIT would have written.
        byte[] blob = ChunkedDebugInfoWriter.Write([new(0, 0)], points: [new AsyncPoint(5, [.. variables])]);
        Assert.True(NativeDebugInfo.TryReadAsyncPoints(blob, DebugInfoFormat.Chunked, out AsyncPoint[] points));
        return string.Join(", ", Locals().Read(point with { AsyncPoint = points[0] }, frame).Select(Text));
    }

    private static string Text(LocalValue local) => $"{local.Name} = {(local.Value.StartsWith('{') ? local.Type : local.Value)}";

    private InlineLocals Locals()
        => new(_target, new GenericContext(_target, new SavedData(_target, _modules, _index.Layout)), new VariableValues(_target, _modules));

    private (SuspensionPoint Point, ContinuationRow Frame) Point(string method)
    {
        var points = new SuspensionPoints(_target, _modules, new NativeBodies(_target, LayoutFacts.None), [], LayoutFacts.None, _problems);
        for (int i = 0; i < _index.Frames.Count; i++)
        {
            if (points.At(_index.Frames.Sites[_index.Frames.SiteOf(i)]) is { Method.Facts: { } facts } point && facts.RawName == method)
                return (point, _index.Frames.RowOf(i));
        }
        throw new InvalidOperationException($"no frame of {method}");
    }
}
