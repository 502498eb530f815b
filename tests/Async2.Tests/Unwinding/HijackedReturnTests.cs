using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Unwinding;

/// <summary>While a collection is about to stop a thread, the runtime has replaced the address to which its method returns, and the data access library finds nothing behind that.</summary>
[Trait("Category", "Integration")]
public sealed class HijackedReturnTests
{
    [Theory]
    [InlineData("Situations")]
    [InlineData("Situations.Classic")]
    public void A_method_that_is_about_to_be_stopped_is_shown_once(string build)
    {
        // Another thread collects: without the true address each look but a few showed the method where it had waited, too.
        using ScenarioProcess process = Situation.Start(build, "polymorphic");
        process.AnswerTo("collected");
        Thread.Sleep(1000);
        for (int look = 0; look < 4; look++)
            AsksOnce(Situation.LookAt(process.Pid.ToString(CultureInfo.InvariantCulture), process.Truth));
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("stopping.dmp");
        for (int look = 0; look < 4; look++)
        {
            File.Delete(dump);
            ProgramDump.Write(process.Pid, dump);
            AsksOnce(Situation.LookAt(dump, process.Truth));
        }
        // A debugger shows the data access library the memory as it is. In a few dumps the thread has been let go just now.
        string answer = new SosHost().Run(dump, "dumpasync2");
        Assert.True(answer.Contains(ProblemCodes.NativeCallerUnknown, StringComparison.Ordinal) || answer.Split("AskAsync").Length == 2, answer);
    }

    /// <summary>The method that calls an interface is there once, on its thread, and nothing had to be read again for that.</summary>
    internal static void AsksOnce(Situation found)
    {
        Assert.DoesNotContain(found.Problems, problem => problem.Code is ProblemCodes.NativeCallerUnknown or ProblemCodes.ReadAgain);
        LogicalStack asking = Assert.Single(found.Stacks, stack => stack.Frames.Any(frame => frame.Name == "AskAsync"));
        LogicalFrame method = asking.Frames[^1];
        Assert.Equal(("AskAsync", FrameKind.Thread), (method.Name, method.Kind));
        Assert.InRange(method.Line ?? 0, found.LineOf("begins") + 1, found.LineOf("begins") + 4);
    }
}
