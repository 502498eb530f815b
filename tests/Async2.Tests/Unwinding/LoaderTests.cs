using System.Globalization;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Async2.Analysis.Threads.Unwinding;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Unwinding;

/// <summary>The library that loads the others is in no list of a dump's modules. The runtime is in it whenever it looks for a thread's own variables.</summary>
[Trait("Category", "Integration")]
public sealed class LoaderTests
{
    [Fact]
    public void Callers_of_its_functions_are_found_in_a_dump()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "there is no such library on Windows");
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Situations, ["inNative"]);
        ulong loader = BaseOf(process.Pid);
        using var folder = new TemporaryFolder();
        string dump = folder.PathOf("loader.dmp");
        ProgramDump.Write(process.Pid, dump);
        using Target target = Target.Open(dump, new TargetOptions());
        Assert.DoesNotContain(target.Runtime.DataTarget.EnumerateModules(), module => module.ImageBase == loader);
        using NativeModule library = NativeModules.At(target, loader)!;
        Assert.Equal(ExportSearch.Found, library.FindExport("__tls_get_addr"u8, out ulong function));

        // A thread is in a function of the system; as if that were the loader's, which would begin just now.
        using var callers = new NativeCallers(target);
        (NativeFrame caller, NativeFrame managed) = target.Runtime.Threads.Select(thread => CallersOf(target, thread, callers)).First(found => found is not null)!.Value;
        ManagedCallers.IsFoundFrom(caller, function, caller.Stack - sizeof(ulong), managed, callers);
    }

    // Who called the function in which it is, which is native code too, and the managed code that called that.
    private static (NativeFrame, NativeFrame)? CallersOf(Target target, ClrThread thread, NativeCallers callers)
    {
        byte[] context = new byte[ThreadContexts.Size];
        Assert.True(ThreadContexts.TryReadX64(target, thread, context, out _));
        var own = NativeFrame.Of(context);
        foreach (ElfModule library in NativeModules.Of(target).OfType<ElfModule>().Where(library => library.Contains(own.Instruction)))
        {
            if (FrameDescription.Find(library, own.Instruction) is { } description && CallFrame.At(description, own.Instruction) is { } rules
                && own.CallerBy(rules, description.IsSignal, target.Memory.TryRead) is { } caller && target.Runtime.GetMethodByInstructionPointer(caller.Instruction) is null
                && callers.Find(context, out _) is { } managed)
                return (caller, managed);
        }
        return null;
    }

    private static ulong BaseOf(int pid)
        => ulong.Parse(File.ReadLines($"/proc/{pid}/maps").First(line => Path.GetFileName(line).StartsWith("ld-", StringComparison.Ordinal)).Split('-')[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
