namespace Async2.Analysis.Model.Graph;

/// <summary>
/// Numbers what edges lead to besides operations: resources, contexts and threads come behind those, each in order, so no number is known before the last
/// one was met. Until then such an end has a negative number of its own.
/// </summary>
/// <typeparam name="TKnown">What is known of a resource.</typeparam>
/// <param name="resources">How many resources there may be.</param>
internal sealed class LinkEnds<TKnown>(int resources)
    where TKnown : struct
{
    private const int Kinds = 3;
    private const int Resource = 0;
    private const int Context = 1;
    private const int Thread = 2;

    private readonly Dictionary<int, int> _threads = [];
    private Dictionary<ulong, int> _resources = new(resources);
    private List<TKnown> _known = new(resources);
    private int[] _resourceRanks = [];
    private int[] _threadRanks = [];
    private int _firstResource;
    private int _firstContext;
    private int _firstThread;

    /// <summary>Addresses of resources, ascending.</summary>
    public ulong[] Resources { get; private set; } = [];

    /// <summary>What is known of each of them.</summary>
    public TKnown[] Known { get; private set; } = [];

    /// <summary>Managed ids of threads, ascending.</summary>
    public int[] Threads { get; private set; } = [];

    /// <summary>A context, by its number.</summary>
    public static int OfContext(int context) => Code(Context, context);

    /// <summary>A resource; who names it first says what it is.</summary>
    public int OfResource(ulong address, in TKnown known)
    {
        if (!_resources.TryGetValue(address, out int number))
        {
            _resources[address] = number = _known.Count;
            _known.Add(known);
        }
        return Code(Resource, number);
    }

    /// <summary>A thread, by its managed id.</summary>
    public int OfThread(int id)
    {
        if (!_threads.TryGetValue(id, out int number))
            _threads[id] = number = _threads.Count;
        return Code(Thread, number);
    }

    /// <summary>All were met: puts them in order.</summary>
    /// <param name="nodes">How many nodes come before resources.</param>
    /// <param name="contexts">How many contexts there are.</param>
    public void Order(int nodes, int contexts)
    {
        (Resources, _resourceRanks) = Ranked(_resources);
        (Threads, _threadRanks) = Ranked(_threads);
        Known = new TKnown[Resources.Length];
        for (int number = 0; number < _resourceRanks.Length; number++)
            Known[_resourceRanks[number]] = _known[number];
        (_resources, _known) = ([], []);
        _firstResource = nodes;
        _firstContext = nodes + Resources.Length;
        _firstThread = _firstContext + contexts;
    }

    /// <summary>The node of an end.</summary>
    public int NumberOf(int end)
    {
        if (end >= 0)
            return end;
        (int number, int kind) = Math.DivRem(-1 - end, Kinds);
        return kind switch
        {
            Resource => _firstResource + _resourceRanks[number],
            Context => _firstContext + number,
            _ => _firstThread + _threadRanks[number],
        };
    }

    private static int Code(int kind, int number) => checked(-1 - ((number * Kinds) + kind));

    private static (TKey[] Sorted, int[] Ranks) Ranked<TKey>(Dictionary<TKey, int> numbers)
        where TKey : notnull
    {
        var keys = new TKey[numbers.Count];
        int[] order = new int[keys.Length], ranks = new int[keys.Length];
        foreach ((TKey key, int number) in numbers)
            (keys[number], order[number]) = (key, number);
        Array.Sort(keys, order);
        for (int i = 0; i < order.Length; i++)
            ranks[order[i]] = i;
        return (keys, ranks);
    }
}
