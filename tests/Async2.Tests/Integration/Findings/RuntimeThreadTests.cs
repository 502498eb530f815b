using Async2.Analysis.Model;
using Async2.Tests.Integration.Situations;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Integration.Findings;

/// <summary>Threads on which the runtime calls the program: the one that waits for an async Main, and the one of finalizers, where the handlers of ProcessExit run, too.</summary>
[Trait("Category", "Integration")]
public sealed class RuntimeThreadTests
{
    private const string Begin = """
        using System;
        using System.Threading;
        using System.Threading.Tasks;
        Console.WriteLine("{\"stacks\":[]}");
        object till = new();
        new Thread(() => { Console.In.ReadLine(); System.Diagnostics.Process.GetCurrentProcess().Kill(); }) { IsBackground = true }.Start();
        """;

    private const string Ready = "Console.WriteLine(\"ready \" + Environment.ProcessId);";

    // It has a lock that no method holds any more: its thread does.
    private const string Held = Begin + "Monitor.Enter(till); Task other = Task.Run(() => { lock (till) Console.Out.Flush(); }); await Task.CompletedTask; Thread.Sleep(300);" + Ready;

    [Fact]
    public void Work_that_needs_a_lock_of_the_thread_which_waits_for_that_work_is_a_deadlock()
    {
        Situation found = LookAt(Held + "await other;");
        Finding finding = Assert.Single(found.Findings, finding => finding.Severity == Severity.Error);
        Assert.Equal(("deadlock", Confidence.Certain), (finding.Rule, finding.Confidence));
        Assert.Contains("blocks thread 1 until Program.Main is done", finding.Text, StringComparison.Ordinal);
        Assert.Equal(StackState.Deadlocked, Assert.Single(found.Stacks).State);
    }

    [Fact]
    public void Other_work_of_that_thread_goes_on()
    {
        Situation found = LookAt(Held + "await Task.Delay(-1); await other;");
        // It will not let go of the lock, but what it waits for does not need that.
        Assert.DoesNotContain(found.Findings, finding => finding.Rule == "deadlock");
        Assert.Equal([("Monitor.Enter", StackState.Blocked), ("Task.Delay", StackState.Blocked)], found.Stacks.Select(stack => (stack.WaitingOn?.Text, stack.State)).Order());
    }

    [Fact]
    public void The_end_of_a_process_waits_for_its_handlers()
    {
        Situation found = LookAt(Begin + "AppDomain.CurrentDomain.ProcessExit += (_, _) => { " + Ready + " Thread.Sleep(-1); }; Environment.Exit(0);");
        LogicalStack ends = found.Stacks.Single(stack => stack.WaitingOn?.Text == "Environment.Exit"), handles = found.Stacks.Single(stack => stack != ends);
        Assert.Equal(("Thread.Sleep", StackState.Blocked), (handles.WaitingOn?.Text, handles.State));
        Assert.Equal(($"Environment.Exit, for thread {handles.Thread}", handles.Id), (ends.WaitingOn?.FullText, ends.WaitingOn?.Stack));
    }

    private static Situation LookAt(string source)
    {
        using var program = new IdleProgram(source);
        using ScenarioProcess process = ScenarioProcess.Start(program.Build, []);
        return Situation.LookAt($"{process.Pid}", process.Truth);
    }
}
