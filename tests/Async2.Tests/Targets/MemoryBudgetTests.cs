using Async2.Analysis.Targets.Memory;
using Async2.Tests.Support;

namespace Async2.Tests.Targets;

/// <summary>What a copy may take of a machine and of the control groups around us.</summary>
public sealed class MemoryBudgetTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public MemoryBudgetTests() => Write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n");

    [Fact]
    public void Without_groups_it_is_half_of_what_is_free() => Assert.Equal(2000ul * 1024, Budget());

    [Fact]
    public void A_limit_of_an_outer_group_counts_and_so_does_its_use_by_others()
    {
        Write("proc/self/cgroup", "0::/shop.slice/tool.service\n");
        Write("groups/shop.slice/tool.service/memory.max", "max\n");
        Write("groups/shop.slice/tool.service/memory.current", "1000\n");
        Write("groups/shop.slice/memory.max", "100000\n");
        Write("groups/shop.slice/memory.current", "70000\n");
        Assert.Equal(15_000ul, Budget());
    }

    [Fact]
    public void A_container_sees_its_own_group_as_the_root()
    {
        Write("proc/self/cgroup", "0::/\n");
        Write("groups/memory.max", "50000\n");
        Write("groups/memory.current", "60000\n");
        Assert.Equal(0ul, Budget());
    }

    [Fact]
    public void Groups_of_the_first_version_count_too()
    {
        Write("proc/self/cgroup", "8:cpu:/docker/1\n7:memory:/docker/1\n");
        Write("groups/memory/docker/1/memory.limit_in_bytes", "8000\n");
        Write("groups/memory/docker/1/memory.usage_in_bytes", "2000\n");
        Assert.Equal(3_000ul, Budget());
    }

    public void Dispose() => _folder.Dispose();

    private ulong Budget() => MemoryBudget.Of(_folder.PathOf("proc"), _folder.PathOf("groups"));

    private void Write(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_folder.PathOf(file))!);
        File.WriteAllText(_folder.PathOf(file), text);
    }
}
