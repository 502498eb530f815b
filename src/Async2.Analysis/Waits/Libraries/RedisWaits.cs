using Async2.Analysis.Layouts;
using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Model;
using Async2.Analysis.Waits.Reading;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Waits.Libraries;

/// <summary>Commands of StackExchange.Redis that have no answer: which command, on which server, behind how many others.</summary>
internal sealed class RedisWaits(WaitReaderContext all) : IWaitFamily<RedisWaits>
{
    private static readonly LibraryObject Message = new("StackExchange.Redis.Message", "resultBox", "stateOrCompletionSource", "_task") { IsBase = true };
    private static readonly LibraryObject Connection = new("StackExchange.Redis.PhysicalConnection");

    public static IReadOnlyList<LibraryObject> Objects { get; } = [Message, Connection];

    private const string Subject = "Redis";
    private const string BoxName = "StackExchange.Redis.";
    private const int MessageLimit = 1_000_000;

    // First the commands that were written and not answered, then those not written yet.
    private static readonly string[][] Queues = [["outstanding"], [ObjectFields.Behind("Bridge"), "queue", "high"], [ObjectFields.Behind("Bridge"), "queue", "regular"]];

    private readonly EndPointReader _points = new(all);
    private readonly Dictionary<ulong, string?> _commands = [];
    private Dictionary<ulong, (HeapObject Connection, bool IsWritten, int Place)>? _places;
    private Dictionary<ulong, ulong>? _boxes;

    public static RedisWaits Open(WaitReaderContext all) => new(all);

    /// <summary>The command whose answer is awaited; null if another thing is waited for, or the command has no name.</summary>
    public static string? CommandOf(WaitReason reason)
        => reason is { Kind: WaitKind.Socket, Action: WaitAction.None, Subject: { } subject } && subject.StartsWith(Subject + " ", StringComparison.Ordinal) ? subject[(Subject.Length + 1)..] : null;

    /// <inheritdoc/>
    public BlockingReader? ReaderOf(BlockingKind kind) => kind == BlockingKind.MonitorWait ? (item, _) => OfBox(item) : null;

    // A thread that waits for an answer waits for a pulse of the box that the message puts it into.
    private WaitReason? OfBox(HeapObject box)
    {
        if (TypeLookup.Of(all.Target.Runtime, box.MethodTable())?.Name?.StartsWith(BoxName, StringComparison.Ordinal) != true)
            return null;
        if (_boxes is null)
        {
            _boxes = [];
            foreach (ulong message in (_places ??= Build()).Keys)
                _boxes.TryAdd(all.Fields.Follow(all.At(message), "resultBox").Address, message);
        }
        return _boxes.TryGetValue(box.Address, out ulong own) ? ReadOwner(all.At(own), Message) : null;
    }

    public WaitReason? ReadOwner(HeapObject owner, LibraryObject kind)
    {
        WaitReason command = CommandOf(owner) is { } name ? new(WaitKind.Socket, $"{Subject} {name}") : new(WaitKind.Socket, Subject, WaitAction.Command);
        if (!(_places ??= Build()).TryGetValue(owner.Address, out (HeapObject Connection, bool IsWritten, int Place) found))
            return command;
        string? host = _points.Read(all.Fields.Follow(found.Connection, ObjectFields.Behind("Bridge"), ObjectFields.Behind("ServerEndPoint"), "endpoint"));
        return command with
        {
            Resource = found.Connection.Address,
            Shared = host is null ? [] : [new(WaitFactKey.Server, Text: host)],
            Own = [found.IsWritten ? new(WaitFactKey.WithoutAnswer, found.Place) : new(WaitFactKey.NotSent)],
        };
    }

    // The name of the command is in the metadata of the library: RedisCommand.GET.
    private string? CommandOf(HeapObject message)
    {
        if (all.Fields.Int32(message, "command") is not { } number || TypeLookup.Of(all.Target.Runtime, message.MethodTable()) is not { } type)
            return null;
        ulong key = (uint)number;
        if (!_commands.TryGetValue(key, out string? name))
            _commands[key] = name = NameOf(type, number);
        return name;
    }

    private string? NameOf(ClrType message, int number)
    {
        if (message.GetFieldByName("command") is not { Type: { Name: { } name, Module: { } module } })
            return null;
        return all.Modules.Of(module).Metadata?.LiteralsOf(name)?.FirstOrDefault(literal => literal.Value == number).Key;
    }

    private Dictionary<ulong, (HeapObject Connection, bool IsWritten, int Place)> Build()
    {
        var found = new Dictionary<ulong, (HeapObject, bool, int)>();
        foreach (HeapObject connection in all.Library.Of(Connection))
        {
            foreach (string[] way in Queues)
            {
                int place = 0;
                foreach (ulong message in Items(all.Fields.Follow(connection, way)))
                    found.TryAdd(message, (connection, way.Length == 1, ++place));
            }
        }
        return found;
    }

    private IEnumerable<ulong> Items(HeapObject queue)
    {
        ulong[] ring = ArrayLayout.ReadReferences(all.Target.Memory, all.Fields.Follow(queue, "_array").Address, MessageLimit);
        int head = all.Fields.Int32(queue, "_head") ?? 0, size = all.Fields.Int32(queue, "_size") ?? 0;
        for (int i = 0; i < Math.Min(size, ring.Length); i++)
            yield return ring[((uint)head + (uint)i) % (uint)ring.Length];
    }
}
