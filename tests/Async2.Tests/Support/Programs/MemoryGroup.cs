namespace Async2.Tests.Support.Programs;

/// <summary>A control group with a limit of memory for what is started in it (cgroups(7), of either version). Only root can make one.</summary>
internal sealed class MemoryGroup : IDisposable
{
    private readonly string _folder;
    private readonly bool _isFirst;

    private MemoryGroup(string folder, bool isFirst) => (_folder, _isFirst) = (folder, isFirst);

    /// <summary>The most that was used of it so far, in bytes.</summary>
    public long Most => long.Parse(File.ReadAllText(Path.Join(_folder, _isFirst ? "memory.max_usage_in_bytes" : "memory.peak")));

    /// <summary>Makes one; null where the machine has no groups that limit memory, or they are not ours to make.</summary>
    public static MemoryGroup? TryMake(long bytes)
    {
        foreach ((string root, bool isFirst) in (ReadOnlySpan<(string, bool)>)[("/sys/fs/cgroup/memory", true), ("/sys/fs/cgroup", false)])
        {
            var group = new MemoryGroup(Path.Join(root, $"async2-tests-{Guid.NewGuid():N}"), isFirst);
            try
            {
                if (!Directory.Exists(root))
                    continue;
                Directory.CreateDirectory(group._folder);
                File.WriteAllText(Path.Join(group._folder, isFirst ? "memory.limit_in_bytes" : "memory.max"), bytes.ToString());
                return group;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                group.Dispose();
            }
        }
        return null;
    }

    /// <summary>Runs the tool in it.</summary>
    public ToolRun Run(string arguments) => ToolRun.Shell($"echo $$ > {_folder}/cgroup.procs && exec $TOOL {arguments}");

    public void Dispose()
    {
        if (Directory.Exists(_folder))
            Directory.Delete(_folder);
    }
}
