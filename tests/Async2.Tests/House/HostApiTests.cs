namespace Async2.Tests.House;

public sealed class HostApiTests
{
    [Fact]
    public void The_library_uses_nothing_that_a_host_lacks() => Rule.Holds(HostApi.Violations(Compiled.Library()));

    [Theory]
    [InlineData("int M(ClrObject o, ClrInstanceField f) => o.ReadField<int>(f);", true)]
    [InlineData("int M(ClrObject o) => o.ReadField<int>(\"f\");", false)]
    [InlineData("object M(ClrObject o, ClrInstanceField f) => o.ReadObjectField(f);", true)]
    [InlineData("object M(ClrObject o) => o.ReadObjectField(\"f\");", false)]
    [InlineData("object M(ClrModule m) => m.EnumerateTypesWithStaticFields();", true)]
    [InlineData("object M(ClrRuntime r) => r.TlsSlotIndex;", true)]
    [InlineData("object M(ClrHeap h) => h.EnumerateAdditionalRoots();", true)]
    [InlineData("object M() => new DataTargetOptions();", true)]
    [InlineData("object M(ClrHeap h) => h.EnumerateObjects();", false)]
    public void The_check_finds_them(string member, bool wrong)
    {
        string source = $"using Microsoft.Diagnostics.Runtime; namespace Async2.Analysis.Nodes {{ class A {{ {member} }} }}";
        Assert.Equal(wrong, HostApi.Violations(Compiled.Uses(source)).Count > 0);
    }

    [Fact]
    public void Opening_a_target_is_the_tools_own_business()
        => Assert.Empty(HostApi.Violations(Compiled.Uses(
            "using Microsoft.Diagnostics.Runtime; namespace Async2.Analysis.Targets { class A { object M() => new DataTargetOptions(); } }")));
}
