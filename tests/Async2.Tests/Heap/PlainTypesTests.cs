using Async2.Analysis.Heap;
using Async2.Analysis.Layouts;
using Async2.Analysis.Targets.Processes;

namespace Async2.Tests.Heap;

/// <summary>Types that are remembered from one reading of a process to the next: only those that are still what they were.</summary>
public sealed class PlainTypesTests
{
    private const ulong Table = 0x7f00_0000_1000;

    private static readonly LinuxIdentity Program = new("1000", "7ffc", (1, 2), "0\t0\t0\t0", "user:[1]", "mnt:[1]", 0);
    private static readonly PlainTypes.Head Head = new(0x40, 24, 0x0200_0012, 0x7f00_0000_0800, 0x7f00_0000_0100);
    private static readonly HeapType Plain = new(Table, 24, 0, AsyncTypeKind.Other, false);

    [Fact]
    public void A_type_is_known_again()
    {
        PlainTypes types = New();
        types.Add(Head, Plain);
        Assert.True(types.TryGet(Head, Table, out HeapType known));
        Assert.Equal(Plain, known);
        Assert.False(types.TryGet(Head, Table + 8, out _));
    }

    [Fact]
    public void What_begins_with_other_bytes_is_another_type()
    {
        PlainTypes types = New();
        types.Add(Head, Plain);
        foreach (PlainTypes.Head other in (PlainTypes.Head[])[Head with { Flags = 0x41 }, Head with { BaseSize = 32 }, Head with { Token = 0x0200_0013 }, Head with { Parent = 8 }, Head with { Module = 8 }])
            Assert.False(types.TryGet(other, Table, out _));
    }

    [Fact]
    public void Async_objects_are_looked_at_each_time()
    {
        PlainTypes types = New();
        // A nameless type may have a name next time.
        foreach (HeapType type in (HeapType[])[Plain with { IsResource = true }, Plain with { Kind = AsyncTypeKind.Task }, Plain with { Kind = AsyncTypeKind.Nameless }])
            types.Add(Head, type);
        Assert.False(types.TryGet(Head, Table, out _));
    }

    [Fact]
    public void A_module_that_can_be_unloaded_is_asked_each_time()
    {
        PlainTypes types = New();
        PlainTypes.Head collectible = Head with { Flags = Head.Flags | 0x0020_0000 };
        types.Add(collectible, Plain);
        Assert.False(types.TryGet(collectible, Table, out _));
    }

    [Fact]
    public void They_are_of_one_program()
    {
        PlainTypes types = New();
        Assert.True(types.IsOf((5, Program with { }), "names"));
        Assert.False(types.IsOf((6, Program), "names"));
        Assert.False(types.IsOf((5, Program with { Started = "1001" }), "names"));
        Assert.False(types.IsOf((5, Program with { Stack = "7ffd" }), "names"));
        Assert.False(types.IsOf((5, Program), "other names"));
    }

    [Fact]
    public void They_do_not_grow_for_ever()
    {
        PlainTypes types = New();
        for (ulong i = 0; i < 300_000; i++)
            types.Add(Head, Plain with { MethodTable = Table + (i * 8) });
        Assert.True(types.TryGet(Head, Table, out _));
        Assert.False(types.TryGet(Head, Table + (250_000 * 8), out _));
    }

    private static PlainTypes New() => new((5, Program), "names");
}
