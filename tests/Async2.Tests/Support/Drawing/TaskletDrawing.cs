using Async2.Analysis.Families.Contract;
using Async2.Analysis.Families.Tasklets;
using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Descriptions;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;
using Async2.Analysis.Targets.Memory;

namespace Async2.Tests.Support.Drawing;

/// <summary>
/// Native memory with tasklets, drawn line by line: <c>a -> b -> c</c> a chain from the innermost out; <c>owner a</c> a heap object
/// that leads to it; <c>list c</c> the runtime's list; <c>back c b a</c> links inwards; <c>set a FIELD VALUE</c> damages a field,
/// whose name is one of the descriptions' and whose value is a number or a tasklet.
/// </summary>
internal sealed class TaskletDrawing
{
    private const ulong Owners = 0x9000_0000;
    private const ulong Variable = 0x5000;
    private const ulong Sentinel = 0x6000;
    private const int Extent = 0x60;

    private readonly Dictionary<ulong, byte> _bytes = [];
    private readonly Dictionary<string, ulong> _addresses = [];
    private readonly List<PendingObject> _owners = [];
    private readonly LayoutFacts _facts;

    private TaskletDrawing(LayoutFacts facts)
    {
        var variable = new GlobalDescription { Address = Variable };
        _facts = new LayoutFacts([new LayoutDescription { Source = new(LayoutSourceKind.File, "the drawing"), Globals = new Dictionary<string, GlobalDescription> { ["TaskletSentinel"] = variable } }, .. facts.Sources]);
        Write(Variable, 8, Sentinel);
        Link("NextInLiveList", Sentinel, Sentinel);
    }

    /// <summary>What is found, a line for each chain, then a line for each problem: its rule and where.</summary>
    public static string Read(string drawing, LayoutFacts facts)
    {
        var memory = new TaskletDrawing(facts);
        foreach (string line in drawing.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
            memory.Draw(line.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        return memory.Walk();
    }

    private string Walk()
    {
        var problems = new ProblemLog();
        var sites = new SiteTable();
        FamilyChains? found = new TaskletWalk(new(new TargetMemory(new SparseMemory(_bytes)), _facts, null, sites, problems)).Chains(_owners, CancellationToken.None);
        var lines = new List<string>();
        if (found is not null)
        {
            var columns = FrameColumns.Join(found.Rows, sites, _ => default);
            lines.AddRange(found.Chains.Select(c => $"{c.State.ToString().ToLowerInvariant()}: {string.Join(" -> ", Chain(columns, c).Select(NameOf))}"));
        }
        lines.AddRange(problems.ToImmutable().Select(p => $"! {RuleIn(p.Text)} {NameOf(p.Address ?? 0)}"));
        return string.Join("\n", lines);
    }

    private static IEnumerable<ulong> Chain(FrameColumns columns, OwnedChain chain)
    {
        for (int at = columns.Find(chain.Innermost); at >= 0; at = columns.Next(at))
            yield return columns.AddressOf(at);
    }

    private static string RuleIn(string text)
    {
        const string mark = "the rule ";
        int start = text.IndexOf(mark, StringComparison.Ordinal);
        return start < 0 ? text : text[(start + mark.Length)..].Split(':')[0];
    }

    private string NameOf(ulong address) => _addresses.FirstOrDefault(a => a.Value == address).Key ?? (address == Variable ? "list" : $"0x{address:x}");

    private void Draw(string[] words)
    {
        switch (words[0])
        {
            case "owner":
                _owners.Add(new(Owners + ((ulong)_owners.Count * 0x40), 0, At(words[1]), 0, AsyncTypeKind.ChainOwner));
                break;
            case "list":
                ulong[] ring = [Sentinel, .. words[1..].Select(At), Sentinel];
                for (int i = 0; i + 1 < ring.Length; i++)
                    Link("NextInLiveList", ring[i], ring[i + 1]);
                break;
            case "back":
                for (int i = 1; i + 1 < words.Length; i++)
                    Link("PrevInStack", At(words[i]), At(words[i + 1]));
                break;
            case "set":
                Set(At(words[1]), words[2], words[3].StartsWith("0x", StringComparison.Ordinal) ? Convert.ToUInt64(words[3], 16)
                    : long.TryParse(words[3], out long number) ? (ulong)number : At(words[3]));
                break;
            default:
                string[] chain = [.. words.Where(w => w != "->")];
                for (int i = 0; i < chain.Length; i++)
                    Link("NextInStack", At(chain[i]), i + 1 < chain.Length ? At(chain[i + 1]) : 0);
                break;
        }
    }

    // Each tasklet has its own neighbourhood: the struct, what it says of its frame, the frame, the register list.
    private ulong At(string name)
    {
        if (_addresses.TryGetValue(name, out ulong address))
            return address;
        _addresses[name] = address = 0x10000 + ((ulong)_addresses.Count * 0x1000);
        Fill(address, 0x100);
        Fill(address + 0x200, 0x100);
        Fill(address + 0x400, Extent);
        (string Field, ulong Value)[] sound =
        [
            ("RestoreIP", 0x7000), ("StackDataInfo", address + 0x200), ("StackData", address + 0x400), ("StackRequirement", Extent), ("StackDataSize", Extent),
            ("ReturnAddressOffset", Extent - 40), ("ArgumentBytes", 32), ("ObjectRefCount", 1), ("ObjectRefOffsets", address + 0x600),
            ("ByRefCount", 1), ("ByRefOffsets", address + 0x610), ("RegistersToRestore", address + 0x700),
        ];
        foreach ((string field, ulong value) in sound)
            Set(address, field, value);
        Write(address + 0x600, 4, 8);
        Write(address + 0x610, 4, Extent - 48);
        int stride = _facts.Size("TaskletRegRestore")!.Value;
        Fill(address + 0x700, 2 * stride);
        Register(address + 0x700, 1, Extent - 48);
        Register(address + 0x700 + (ulong)stride, (ulong)_facts.Global("TaskletRegisterEndFirst")!.Value.Number!, 0);
        return address;
    }

    private void Register(ulong entry, ulong number, ulong offset)
    {
        Write(entry + (ulong)_facts.Field("TaskletRegRestore", "Register")!.Offset, 4, number);
        Write(entry + (ulong)_facts.Field("TaskletRegRestore", "Offset")!.Offset, 4, offset);
    }

    private void Set(ulong tasklet, string field, ulong value)
    {
        if (field == "Register")
            Register(tasklet + 0x700 + (ulong)_facts.Size("TaskletRegRestore")!.Value, value, 0);
        else if (_facts.Field("Tasklet", field) is { } own)
            Write(tasklet + (ulong)own.Offset, own.FieldType == "pointer" ? 8 : 4, value);
        else if (_facts.Field("TaskletStackDataInfo", field) is { } info)
            Write(tasklet + 0x200 + (ulong)info.Offset, info.FieldType == "pointer" ? 8 : 4, value);
    }

    private void Link(string field, ulong from, ulong to)
    {
        if (from == Sentinel)
            Fill(Sentinel, 0x100);
        Set(from, field, to);
    }

    private void Fill(ulong address, int count)
    {
        for (int i = 0; i < count; i++)
            _bytes[address + (ulong)i] = 0;
    }

    private void Write(ulong address, int size, ulong value)
    {
        for (int i = 0; i < size; i++)
            _bytes[address + (ulong)i] = (byte)(value >> (8 * i));
    }
}
