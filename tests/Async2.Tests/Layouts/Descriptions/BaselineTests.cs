using Async2.Analysis.Layouts.Checks;
using Async2.Analysis.Layouts.Descriptions;
using FsCheck;
using FsCheck.Fluent;

namespace Async2.Tests.Layouts.Descriptions;

/// <summary>What comes with the tool is whole, and says what the runtimes' sources say.</summary>
public sealed class BaselineTests
{
    public static TheoryData<string> Names => [.. Baselines.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_is_complete(string name)
    {
        LayoutDescription layout = Baselines.Find(name)!;
        Assert.Empty(LayoutCheck.FaultsOf(new LayoutFacts([layout])));
        Assert.Empty(layout.Ignored);
        Assert.NotEmpty(layout.Contracts);
        Assert.Equal((LayoutSourceKind.BuiltIn, "built in " + name), (layout.Source.Kind, layout.Source.Name));
        Assert.Same(layout, Baselines.Find(name + "/x64"));
        Assert.All(layout.Types, type => Assert.All(type.Value.Fields.Keys, field => Assert.True(ContractRequirements.Reads(type.Key, field), field)));
    }

    [Fact]
    public void Each_file_has_its_name()
        => Assert.Equal(
            Baselines.Names.Select(name => "layout:" + name).Order(StringComparer.Ordinal),
            typeof(Baselines).Assembly.GetManifestResourceNames().Where(name => name.StartsWith("layout:", StringComparison.Ordinal)).Order(StringComparer.Ordinal));

    [Fact]
    public void Others_are_not_in_the_set()
    {
        Assert.Null(Baselines.Find("net12"));
        Assert.Null(Baselines.Find("../net10"));
    }

    [Theory]
    [InlineData("async2/unwinder-v4", 64, "1", 9)]
    [InlineData("async2/unwinder-v3", 56, "2", 8)]
    [InlineData("async2/unwinder-v2", 56, "3", 5)]
    public void Older_tasklets_lack_what_came_later(string name, int size, string contract, int fields)
    {
        LayoutDescription layout = Baselines.Find(name)!;
        Assert.Equal((size, fields), (layout.Types["Tasklet"].Size, layout.Types["Tasklet"].Fields.Count));
        Assert.Equal(contract, layout.Contracts["Async2Tasklets"]);
        Assert.Equal(32, layout.Types["Tasklet"].Fields["RestoreIP"].Offset);
        Assert.Equal(name != "async2/unwinder-v2", layout.Globals.ContainsKey("TaskletSentinel"));
    }

    [Fact]
    public void The_experiments_continuations_have_tasks_of_their_own()
    {
        LayoutDescription layout = Baselines.Find("async2/jit")!;
        Assert.Equal(32, layout.Types["ContinuationObject"].Fields["Resume"].Offset);
        Assert.DoesNotContain("ContinuationTaskTypes", layout.Globals.Keys);
        Assert.Equal("headContinuation", layout.Globals["ContinuationTaskHeadFields"].Text);
        Assert.Equal("1=ResultInGCData;2=NeedsException;4=OsrILOffsetInData", layout.Globals["ContinuationFlagNames"].Text);
    }

    [Fact]
    public void A_damaged_layout_is_always_rejected()
    {
        using Stream stream = typeof(Baselines).Assembly.GetManifestResourceStream("layout:async2/unwinder-v4")!;
        byte[] whole = new byte[stream.Length];
        stream.ReadExactly(whole);
        var damage = ArbMap.Default.ArbFor<(ushort At, byte Value, byte Kind)[]>();
        Prop.ForAll(damage, changes => IsReadOrRefused(Damaged(whole, changes))).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));
    }

    private static byte[] Damaged(byte[] whole, (ushort At, byte Value, byte Kind)[] changes)
    {
        List<byte> bytes = [.. whole];
        foreach ((ushort at, byte value, byte kind) in changes)
        {
            int place = at % (bytes.Count + 1);
            if (kind % 4 == 0)
                bytes.Insert(place, value);
            else if (kind % 4 == 1 && place < bytes.Count)
                bytes.RemoveAt(place);
            else if (kind % 4 == 2 && place < bytes.Count)
                bytes[place] = value;
            else if (kind == 255)
                bytes.RemoveRange(place, bytes.Count - place);
        }
        return [.. bytes];
    }

    private static bool IsReadOrRefused(byte[] json)
    {
        try
        {
            LayoutCheck.FaultsOf(new LayoutFacts([DescriptionParser.Parse(json, new(LayoutSourceKind.File, "file damaged"))]));
        }
        catch (LayoutException e)
        {
            Assert.NotEmpty(e.Faults);
        }
        return true;
    }
}
