using System.Text.Json;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Tests.BadInput;

/// <summary>
/// Dumps whose heap has holes, checked against what the same dump says when it is whole: whatever is lost is said. A sample by default.
/// </summary>
[Trait("Category", "Integration")]
public sealed class LostStackTests(ITestOutputHelper output)
{
    private const int PageSize = 4096;

    [Fact]
    public void A_zeroed_page_of_the_heap_is_reported()
    {
        using var folder = new TemporaryFolder();
        string whole = Dump(folder, ScenarioBuild.Release, ["--only", "NestedCalls,TaskDelay,SemaphoreWait,WhenAllChildren,StoredTask", "--repeat", "40"]);
        string[] expected = StacksOf(ToolRun.Of(whole, "--all", "--format", "json"));
        List<long> pages = PagesOf(whole);
        int step = Math.Max(1, pages.Count / LongRuns.Of(few: 10, all: 114)), silent = 0, lossy = 0, refused = 0, looked = 0;
        for (int i = 0; i < pages.Count; i += step, looked++)
        {
            byte[] kept = Exchange(whole, pages[i], new byte[PageSize]);
            ToolRun run = ToolRun.Of(whole, "--all", "--format", "json");
            Exchange(whole, pages[i], kept);
            refused += run.ExitCode == 3 ? 1 : 0;
            bool isLost = run.ExitCode != 3 && Missing(expected, StacksOf(run)) > 0;
            lossy += isLost ? 1 : 0;
            silent += isLost && run.ExitCode == 0 ? 1 : 0;
            if (isLost && run.ExitCode == 0)
                output.WriteLine($"page {i} of {pages.Count}: {Missing(expected, StacksOf(run))} lost in silence");
        }
        output.WriteLine($"{looked} of {pages.Count} pages: {lossy} lost stacks, {refused} refused, {silent} in silence");
        Assert.Equal(0, silent);
    }

    [Fact]
    public void Torn_chains_are_reported()
    {
        const int chains = 2000;
        using var folder = new TemporaryFolder();
        string dump = Dump(folder, ScenarioBuild.Release, ["--chains", $"{chains}", "--depth", "5"]);
        int torn = Tear(dump, every: 2);
        ToolRun run = ToolRun.Of(dump, "--all", "--format", "json");
        int shown = StacksOf(run).Length;
        output.WriteLine($"{torn} of {chains} chains torn: {shown} stacks shown, exit code {run.ExitCode}");
        Assert.Equal(4, run.ExitCode);
        Assert.True(shown >= chains, $"{chains - shown} of {chains} stacks are not shown");
    }

    private static string Dump(TemporaryFolder folder, ScenarioBuild build, string[] arguments)
    {
        string path = folder.PathOf("heap.dmp");
        using ScenarioProcess process = ScenarioProcess.Start(build, arguments);
        ProgramDump.Write(process.Pid, path);
        return path;
    }

    // Method and line of each frame, a stack a line.
    private static string[] StacksOf(ToolRun run) => run.Output.Length == 0 ? [] : [.. JsonDocument.Parse(run.Output).RootElement.GetProperty("stacks").EnumerateArray()
        .Select(stack => string.Join(" < ", stack.GetProperty("frames").EnumerateArray()
            .Select(f => $"{f.GetProperty("method").GetString()}:{(f.TryGetProperty("line", out JsonElement line) ? line.GetInt32() : 0)}")))];

    private static int Missing(string[] expected, string[] shown)
    {
        var left = shown.CountBy(s => s).ToDictionary(s => s.Key, s => s.Value);
        return expected.Count(s => !(left.TryGetValue(s, out int count) && (left[s] = count - 1) >= 0));
    }

    // Places in the file of the pages that objects lie in.
    private static List<long> PagesOf(string path)
    {
        using DataTarget target = DataTarget.LoadDump(path);
        using ClrRuntime runtime = target.ClrVersions[0].CreateRuntime();
        var places = new List<long>();
        foreach (ClrSegment segment in runtime.Heap.Segments.Where(s => s.Kind is not GCSegmentKind.Frozen))
        {
            for (ulong page = segment.ObjectRange.Start / PageSize * PageSize; page < segment.ObjectRange.End; page += PageSize)
            {
                if (page >= segment.ObjectRange.Start && PlaceOf(path, page) is { } place)
                    places.Add(place);
            }
        }
        return places;
    }

    // The link to the next continuation of every so manieth head points into nothing.
    private static int Tear(string path, int every)
    {
        List<ulong> links = [];
        using (DataTarget target = DataTarget.LoadDump(path))
        using (ClrRuntime runtime = target.ClrVersions[0].CreateRuntime())
        {
            ClrObject[] frames = [.. runtime.Heap.EnumerateObjects().Where(o => o.Type?.Name == "System.Runtime.CompilerServices.Continuation")];
            HashSet<ulong> inner = [.. frames.Select(f => f.ReadObjectField("Next").Address)];
            ulong next = (ulong)(frames[0].Type!.GetFieldByName("Next")!.Offset + IntPtr.Size);
            links.AddRange(frames.Where(f => !inner.Contains(f.Address) && !f.ReadObjectField("Next").IsNull).Where((_, i) => i % every == 0).Select(f => f.Address + next));
        }
        var random = new Random(5);
        byte[] nonsense = new byte[8];
        foreach (ulong link in links)
        {
            random.NextBytes(nonsense);
            Exchange(path, PlaceOf(path, link)!.Value, nonsense);
        }
        return links.Count;
    }

    private static byte[] Exchange(string path, long place, byte[] bytes)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite);
        byte[] before = new byte[bytes.Length];
        file.Position = place;
        file.ReadExactly(before);
        file.Position = place;
        file.Write(bytes);
        return before;
    }

    private static readonly Dictionary<string, List<(ulong Address, ulong Size, long Place)>> Headers = [];

    private static long? PlaceOf(string path, ulong address)
    {
        if (!Headers.TryGetValue(path, out var headers))
            Headers[path] = headers = Read(path);
        foreach ((ulong start, ulong size, long place) in headers)
        {
            if (address >= start && address - start < size)
                return place + (long)(address - start);
        }
        return null;
    }

    // ELF's program headers: type at 0, place in the file at 8, address at 16, bytes in the file at 32.
    private static List<(ulong, ulong, long)> Read(string path)
    {
        using var reader = new BinaryReader(File.OpenRead(path));
        reader.BaseStream.Position = 32;
        long table = reader.ReadInt64();
        reader.BaseStream.Position = 54;
        (int size, int count) = (reader.ReadUInt16(), reader.ReadUInt16());
        var found = new List<(ulong, ulong, long)>();
        for (int i = 0; i < count; i++)
        {
            reader.BaseStream.Position = table + (long)i * size;
            int type = reader.ReadInt32();
            reader.ReadInt32();
            long place = reader.ReadInt64();
            ulong address = reader.ReadUInt64();
            reader.ReadInt64();
            ulong bytes = reader.ReadUInt64();
            if (type == 1)
                found.Add((address, bytes, place));
        }
        return found;
    }
}
