using Async2.Analysis.Layouts.Types;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Layouts;

/// <summary>The DAC is not asked about a method table whose class leads nowhere: it would end this process.</summary>
public sealed class LoadedClassTests
{
    private const ulong MethodTable = 0x1000, Shared = 0x2000, Class = 0x3000;

    [Fact]
    public void A_class_with_a_valid_method_table_may_be_used()
    {
        Assert.True(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, Class), (Class + 0x10, MethodTable)), MethodTable));
        Assert.True(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, Shared | 1), (Shared + 0x28, Class), (Class + 0x10, Shared)), MethodTable));
    }

    [Fact]
    public void A_class_without_a_valid_method_table_may_not()
    {
        Assert.False(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, Class), (Class + 0x10, 0)), MethodTable));
        Assert.False(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, Shared | 1), (Shared + 0x28, Class), (Class + 0x10, 0)), MethodTable));
    }

    [Fact]
    public void The_DAC_itself_rejects_unreadable_method_tables()
    {
        Assert.True(LoadedClass.IsSelfConsistent(Memory(), MethodTable));
        Assert.True(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, 0)), MethodTable));
        Assert.True(LoadedClass.IsSelfConsistent(Memory((MethodTable + 0x28, Class)), MethodTable));
    }

    private static WordMemory Memory(params (ulong Address, ulong Value)[] words)
    {
        var memory = new WordMemory();
        foreach ((ulong address, ulong value) in words)
            memory.Write(address, value);
        return memory;
    }
}
