using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Integration.Situations;

/// <summary>Generic code that is shared between types is called through stubs of the runtime: no frames, and nothing to say of them.</summary>
[Trait("Category", "Integration")]
public sealed class SharedCodeTests
{
    [Theory]
    [InlineData("Situations", "0")]
    [InlineData("Situations", "1")]
    [InlineData("Situations.Classic", "1")]
    public void Stubs_of_shared_code_are_not_frames(string build, string tiered)
    {
        Situation found = Situation.Look(build, "stubs", ("DOTNET_TieredCompilation", tiered));
        Assert.Equal([], found.Problems.Select(p => p.Text));
        string[] frames = [.. found.Stacks.SelectMany(s => s.Frames).Where(f => f.Line is not null).Select(f => $"{f.Name}@{MarkOf(found, f)}").Distinct().Order(StringComparer.Ordinal)];
        Assert.Equal(["AskAsync@till", "AsksAsync@asks", "CallsAsync@calls", "InvokesAsync@invokes", "LendAsync@shop", "SayAsync@stand", "SaysAsync@says", "SharedAsync@shared"], frames);
        Assert.All(found.Stacks, stack => Assert.All(stack.Frames, frame => Assert.DoesNotContain("IL_STUB", frame.Method, StringComparison.Ordinal)));
        // Six were started, and four more by CallsAsync.
        Assert.Equal(10, found.Stacks.Count(s => s.State == StackState.Awaiting));
    }

    private static string MarkOf(Situation found, LogicalFrame frame)
        => found.Truth.Marks!.Where(m => m.Value == frame.Line).Select(m => m.Key).FirstOrDefault() ?? "?";
}
