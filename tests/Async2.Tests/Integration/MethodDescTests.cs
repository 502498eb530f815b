using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.Integration;

/// <summary>
/// A method desc says itself what it is an instantiation of. Hosts of version 8 and 9 bring a ClrMD that does not know shared code's
/// instantiations, so type arguments got lost there; the ClrMD of these tests knows them, and has to agree.
/// </summary>
[Trait("Category", "Integration")]
public sealed class MethodDescTests
{
    private const string Generic = "GenericMethodRef,GenericNestedClass,GenericVirtualMethod,LocalFunctions,ConstrainedCall,StaticAbstract,DeadBranches,GenericLocals";

    [Fact]
    public void A_method_desc_names_its_class_and_its_definition()
    {
        using ScenarioProcess process = ScenarioProcess.Start(ScenarioBuild.Release, ["--only", Generic]);
        using Target target = Target.OpenProcess(process.Pid, new TargetOptions());
        HashSet<ulong> plain = [.. target.Runtime.EnumerateModules().Where(module => module.Name?.EndsWith("Scenarios.dll", StringComparison.Ordinal) == true)
            .SelectMany(module => module.EnumerateTypeDefToMethodTableMap()).Select(pair => target.Runtime.GetTypeByMethodTable(pair.MethodTable))
            .OfType<ClrType>().SelectMany(type => type.Methods).Select(method => method.MethodDesc)];
        HashSet<ulong> instantiated = [.. target.Runtime.Heap.EnumerateObjects().Where(o => o.Type?.Name == "System.Byte[]").SelectMany(o => Words(target.Memory, o))
            .Where(value => MethodDescLayout.GenericMethodArguments(target.Memory, value).Length > 0)];
        Assert.Equal((true, true), (Check(target, plain) > 200, Check(target, instantiated) >= 12));
    }

    // No name is asked for, not even by an assertion: that of an async method would crash the DAC.
    private static int Check(Target target, IEnumerable<ulong> methodDescs)
    {
        int known = 0;
        foreach (ulong methodDesc in methodDescs)
        {
            if (target.Runtime.GetMethodByHandle(methodDesc) is not { } method)
                continue;
            Assert.Equal((method.Type.MethodTable, method.MetadataToken), MethodDescLayout.Definition(target.Memory, methodDesc));
            known++;
        }
        return known;
    }

    // What continuations of .NET 10 saved of values.
    private static IEnumerable<ulong> Words(TargetMemory memory, ClrObject bytes)
    {
        for (ulong at = bytes.Address + 0x10; at + sizeof(ulong) <= bytes.Address + Math.Min(bytes.Size, 4096); at += 4)
        {
            if (memory.TryReadPointer(at, out ulong value) && value != 0 && value % 8 == 0)
                yield return value;
        }
    }
}
