using System.Globalization;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Async2.Tests.Targets;

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
        int line = process.Truth.Marks!["begins"];
        for (int look = 0; look < 4; look++)
            AsksOnce(LookOutsideCollections(() => process.Pid.ToString(CultureInfo.InvariantCulture)), line);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("stopping.dmp");
        for (int look = 0; look < 4; look++)
            AsksOnce(LookOutsideCollections(() => DumpOf(process, dump)), line);
        // A debugger shows the data access library the memory as it is. In a few dumps the thread has been let go just now.
        string answer = new SosHost().Run(dump, "dumpasync2");
        Assert.True(answer.Contains(ProblemCodes.NativeCallerUnknown, StringComparison.Ordinal) || answer.Split("\nSTACK ").Length == 2, answer);
    }

    /// <summary>The method that calls an interface is there once, on its thread.</summary>
    internal static void AsksOnce(StackView view, int line)
    {
        Assert.True(view.Complete, string.Join("; ", view.Problems.Select(problem => problem.Code + " " + problem.Text)));
        LogicalStack asking = Assert.Single(view.Stacks, stack => stack.Frames.Any(frame => frame.Name == "AskAsync"));
        LogicalFrame method = asking.Frames[^1];
        Assert.Equal(("AskAsync", FrameKind.Thread), (method.Name, method.Kind));
        Assert.InRange(method.Line ?? 0, line + 1, line + 4);
    }

    private static string DumpOf(ScenarioProcess process, string path)
    {
        File.Delete(path);
        ProgramDump.Write(process.Pid, path);
        return path;
    }

    // While a collection has its turn, the heap is not whole, which is said: that is another moment.
    private static StackView LookOutsideCollections(Func<string> target)
    {
        for (int look = 0; look < 20; look++)
        {
            StackView view = BriefFreezeTests.Read(target(), locals: true);
            if (view.Problems.All(problem => problem.Code != ProblemCodes.HeapIncomplete))
                return view;
        }
        throw new InvalidOperationException("there was a collection each time");
    }
}
