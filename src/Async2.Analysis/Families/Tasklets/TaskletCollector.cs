using Async2.Analysis.Layouts;
using Async2.Analysis.Model;
using Async2.Analysis.Nodes;
using Async2.Analysis.Targets.Contract;

namespace Async2.Analysis.Families.Tasklets;

/// <summary>Follows chains of tasklets from the innermost one outwards, and keeps a row of each that was not met before.</summary>
internal sealed class TaskletCollector(TaskletReader reader, SiteTable sites, ProblemLog problems)
{
    private const string StackLink = "stack-link";

    private readonly TaskletRules _rules = new(reader);
    private readonly SiteCache _sites = new(sites);
    private readonly AddressSet _met = new();
    private Column<ulong> _addresses = new();
    private LinkColumn _links = new();
    private Column<int> _siteIds = new();

    /// <summary>Tasklets that broke a rule.</summary>
    public int Broken { get; private set; }

    /// <summary>Nothing was wrong, and nothing that another one met.</summary>
    public bool IsSoundBeside(TaskletCollector? other) => Broken == 0 && (other is null || !_met.Overlaps(other._met));

    public bool IsKnown(ulong tasklet) => _met.Contains(tasklet);

    /// <summary>Takes a chain.</summary>
    /// <param name="innermost">Its first tasklet.</param>
    /// <param name="limit">Stops after so many.</param>
    /// <returns>The last tasklet of it, and whether one is marked as executing.</returns>
    public (ulong Outermost, bool IsActive) Take(ulong innermost, int limit = int.MaxValue)
    {
        bool isActive = false;
        ulong at = innermost;
        if (!_met.Add(at))
            return (at, false);
        if (!reader.TryRead(at, out TaskletRow row))
        {
            Break(StackLink, "its memory is not there", at);
            return (0, false);
        }
        while (true)
        {
            isActive |= row.Generation == reader.Layout.ActiveGeneration;
            if (_rules.FirstBroken(row) is { } rule)
                Break(rule, "its frame is shown, but none of its other data is used", at);
            ulong next = NextOf(row, at, innermost, out TaskletRow caller);
            _addresses.Add(at);
            _links.Add(at, next);
            _siteIds.Add(_sites.IdOf(new Site(row.RestoreIP, 0, SiteKind.RestoreIP)));
            if (next == 0 || --limit <= 0 || !_met.Add(next))
                return (at, isActive);
            (at, row) = (next, caller);
        }
    }

    /// <summary>All that was taken.</summary>
    public FrameRows Finish()
    {
        ColumnPart<ulong>[] addresses = _addresses.Take();
        (ColumnPart<int>[] links, ColumnPart<ulong>[] far) = _links.Take();
        return new FrameRows
        {
            FirstAddress = addresses.Length > 0 ? addresses[0].Rows[0] : 0,
            Continuations = addresses,
            Links = links,
            Far = far,
            Sites = _siteIds.Take(),
        };
    }

    // An invalid link ends the chain at the last valid frame.
    private ulong NextOf(in TaskletRow row, ulong address, ulong innermost, out TaskletRow caller)
    {
        caller = default;
        if (row.Next == 0)
            return 0;
        if (_met.Contains(row.Next))
        {
            if (!IsIn(row.Next, innermost, address))
                return row.Next;
            Break(StackLink, "its chain is a cycle; each frame is shown once", address);
            return 0;
        }
        if (reader.TryRead(row.Next, out caller))
            return row.Next;
        Break(StackLink, FormattableString.Invariant($"it leads to 0x{row.Next:x}, where there is no memory; the frames after it are missing"), address);
        return 0;
    }

    // Between two tasklets of a chain that was read up to the second.
    private bool IsIn(ulong wanted, ulong from, ulong to)
    {
        for (ulong at = from; at != wanted; at = reader.TryRead(at, out TaskletRow row) ? row.Next : 0)
        {
            if (at == to || at == 0)
                return false;
        }
        return true;
    }

    private void Break(string rule, string text, ulong address)
    {
        Broken++;
        problems.Add(ProblemCodes.TaskletUnsound, $"a tasklet breaks the rule {rule}: {text}", address);
    }
}
