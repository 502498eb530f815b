using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Integration.Situations;

/// <summary>Methods of a method builder that is not the runtime's: their state machines are in objects of its own, which it uses again.</summary>
[Trait("Category", "Integration")]
public sealed class MethodBuilderTests
{
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void Suspended_methods_of_another_method_builder_are_shown(string build)
    {
        Situation found = Situation.Look(build, "builder");
        Assert.Equal(["AloneAsync@alone", "CallAsync@call < OuterAsync@outer < InnerAsync@inner"], found.Stacks.Select(found.OutermostFirst).Order(StringComparer.Ordinal));
        Assert.All(found.Stacks, stack => Assert.Equal((StackState.Awaiting, WaitKind.Task), (stack.State, stack.WaitingOn?.Kind)));
        Assert.All(found.Stacks.SelectMany(stack => stack.Frames), frame => Assert.Equal(Exactness.Exact, frame.Exactness));
        Assert.Empty(found.Problems);
    }
}
