using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;

namespace Async2.Tests.Integration.Situations;

/// <summary>Async methods that spend their time in native functions of which the runtime notes no caller: the data access library alone finds no frame there, and each was shown where it had waited last.</summary>
[Trait("Category", "Integration")]
public sealed class InNativeTests
{
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_method_is_running_whatever_native_code_it_calls(string build)
    {
        // Another moment each, live and in the dump.
        foreach (Situation found in Situation.LookTwice(build, "inNative"))
        {
            Assert.DoesNotContain(found.Problems, problem => problem.Code == ProblemCodes.NativeCallerUnknown);
            Assert.Equal(
                ["AllocateAsync", "ComputeAsync", "CopyAsync", "MeasureAsync", "StoreAsync"],
                found.Stacks.Select(stack => stack.Frames[^1].Name).Order(StringComparer.Ordinal));
            Assert.All(found.Stacks, stack => Assert.Equal((FrameKind.Thread, true), (stack.Frames[0].Kind, stack.Thread is not null)));
            // One that was let go just now, after a collection, still stands in the system.
            Assert.All(found.Stacks, stack => Assert.Contains(stack.State, new[] { StackState.Active, StackState.Blocked }));
            LogicalStack measuring = found.Stacks.Single(stack => stack.Frames[^1].Name == "MeasureAsync");
            Assert.InRange(measuring.Frames[0].Line ?? 0, found.LineOf("measure") + 1, found.LineOf("measure") + 2);
        }
    }
}
