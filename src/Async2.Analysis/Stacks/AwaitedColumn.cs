using Async2.Analysis.Awaiters;

namespace Async2.Analysis.Stacks;

/// <summary>What each operation waits for, as far as it was asked: 12 bytes for each.</summary>
internal sealed class AwaitedColumn(int nodes)
{
    private const int Asked = 1;
    private const int Exists = 2;
    private const int Completed = 4;
    private const int Back = 8;
    private const int Custom = 16;
    private const int Task = 32;
    private const int FlagBits = 6;

    private readonly ulong[] _addresses = new ulong[nodes];
    private readonly int[] _marks = new int[nodes];
    private readonly List<string?> _types = [null];
    private readonly Dictionary<string, int> _typeIds = [];
    private string? _lastType;
    private int _lastTypeId;

    public bool IsKnown(int node) => _marks[node] != 0;

    /// <summary>Null if it waits for nothing that is known.</summary>
    public AwaitedObject? Of(int node)
    {
        int flags = _marks[node];
        return (flags & Exists) == 0 ? null : new(_addresses[node], _types[flags >> FlagBits], (flags & Completed) != 0, (flags & Back) != 0) { IsCustom = (flags & Custom) != 0, IsTask = (flags & Task) != 0 };
    }

    /// <summary>Number of the type of what it waits for: 0 when nothing is known of it, or it has no name.</summary>
    public int TypeOf(int node) => _marks[node] >> FlagBits;

    public void Set(int node, AwaitedObject? awaited)
    {
        _marks[node] = Asked;
        if (awaited is not { } found)
            return;
        _addresses[node] = found.Address;
        _marks[node] = Asked | Exists | (found.IsCompleted ? Completed : 0) | (found.PointsBack ? Back : 0) | (found.IsCustom ? Custom : 0) | (found.IsTask ? Task : 0) | (TypeId(found.TypeName) << FlagBits);
    }

    private int TypeId(string? type)
    {
        if (type is null || ReferenceEquals(type, _lastType))
            return type is null ? 0 : _lastTypeId;
        if (!_typeIds.TryGetValue(type, out int id))
        {
            _typeIds[type] = id = _types.Count;
            _types.Add(type);
        }
        (_lastType, _lastTypeId) = (type, id);
        return id;
    }
}
