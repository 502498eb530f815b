using Async2.Analysis.Reachability;
using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support.Drawing;

namespace Async2.Tests.Reachability;

/// <summary>Where references are in arrays of structs, and which types only look like such arrays.</summary>
public sealed class ObjectShapeTests
{
    private const ulong MethodTable = 0x1000;
    private const uint HasComponents = 0x80000000, ContainsReferences = 0x01000000;

    [Fact]
    public void Structs_of_a_reference_and_a_number_have_one_reference_each()
        => Assert.Equal([(1u, 8u)], Read(component: 16, start: 16, skip: 8)!.Items);

    // Less than a word before its end, walking one of these would go on for ever.
    [Theory]
    [InlineData(12, 16, 0)]
    [InlineData(16, 12, 0)]
    [InlineData(16, 16, 4)]
    public void Elements_that_are_no_whole_words_are_damage(uint component, ulong start, uint skip)
        => Assert.Null(Read(component, start, skip));

    // In front of the method table: one series of a struct's parts, downwards.
    private static ObjectShape? Read(uint component, ulong start, uint skip)
    {
        WordMemory memory = new WordMemory().Write(MethodTable - 24, 1 | ((ulong)skip << 32), start, unchecked((ulong)-1L), HasComponents | ContainsReferences | component | (24ul << 32));
        return ObjectShape.Of(new TargetMemory(memory), MethodTable);
    }
}
