using Async2.Analysis.Code.DebugInfo;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration;

/// <summary>The code that threads of a running process execute: jitted bodies are found, code that was compiled ahead of time is not searched for.</summary>
[Trait("Category", "Integration")]
public sealed class NativeBodyTests
{
    [Fact]
    public void Only_jitted_code_has_a_body_and_nothing_is_read_to_find_out()
    {
        using var process = ScenarioProcess.Start(ScenarioBuild.Release, []);
        using var target = Target.Open(process.Pid.ToString(), new TargetOptions());
        var bodies = new NativeBodies(target, LayoutFacts.None);
        ClrStackFrame[] frames = [.. target.Runtime.Threads.SelectMany(thread => thread.EnumerateStackTrace()).Where(frame => frame.Method is not null)];
        ClrStackFrame[] ahead = [.. frames.Where(frame => frame.Method!.CompilationType == MethodCompilationType.Ngen)];
        ClrStackFrame[] jitted = [.. frames.Where(frame => Path.GetFileName(frame.Method!.Type.Module.Name) == "Scenarios.dll")];
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.All(ahead, frame => Assert.Null(bodies.Containing(frame.InstructionPointer - 1)));
        // A walk through the code in front of it reads an unknown page for each word that looks like an address.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 500_000);
        Assert.NotEmpty(ahead);
        Assert.NotEmpty(jitted);
        Assert.All(jitted, frame => Assert.InRange(frame.InstructionPointer - bodies.Containing(frame.InstructionPointer - 1)!.Start, 1ul, 1_000_000ul));
    }
}
