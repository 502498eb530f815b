using System.Collections.Immutable;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Model.Members;
using Async2.Analysis.Rendering.Json;
using Async2.Analysis.Rendering.Text;

namespace Async2.Analysis.Rendering.Tree;

/// <summary>What each of equal stacks has for itself, and how far their variables differ.</summary>
internal sealed record EqualRecord
{
    [SetsRequiredMembers]
    internal EqualRecord(EqualStacks equal)
    {
        Members = equal.Members.Select(member => new MemberRecord(member));
        Read = equal.Read == 0 ? null : equal.Read;
        Spread = equal.Spread.IsDefaultOrEmpty ? null : equal.Spread.Select(spread => new SpreadRecord(spread.Frame, SafeText.Escape(spread.Name), spread.Values, spread.Of,
            spread.Largest.IsDefaultOrEmpty ? null : spread.Largest.Select(share => new LabelShareRecord(SafeText.Escape(share.Value), share.Count))));
    }

    [Description("The first ones, those that have waited longest first.")]
    public required IEnumerable<MemberRecord> Members { get; init; }

    [Description("Of how many stacks variables were read; absent for none.")]
    public long? Read { get; init; }

    [Description("Variables with more than one value, frame by frame from the innermost.")]
    public IEnumerable<SpreadRecord>? Spread { get; init; }
}

/// <summary>One of several equal stacks.</summary>
internal sealed record MemberRecord
{
    internal MemberRecord(StackMember member)
    {
        Task = WireRecords.Hex(member.Task);
        Thread = member.Thread;
        Age = AgeRecord.Of(member.Age, 1);
        Labels = member.Labels.IsDefaultOrEmpty ? null : member.Labels.Select(label => (Name: SafeText.Escape(label.Name), label.Value)).DistinctBy(label => label.Name)
            .ToDictionary(label => label.Name, label => SafeText.Escape(label.Value), StringComparer.Ordinal);
        Locals = member.Locals.Count == 0 ? null : member.Locals.ToDictionary(pair => pair.Key.ToString(CultureInfo.InvariantCulture), pair => Safe(pair.Value), StringComparer.Ordinal);
    }

    [Description("Address of its task.")]
    public string? Task { get; }

    [Description("Managed id of the thread that runs or blocks in it.")]
    public int? Thread { get; }

    public AgeRecord? Age { get; }

    public IReadOnlyDictionary<string, string>? Labels { get; }

    [Description("Variables by the index of their frame (0 = innermost).")]
    public IReadOnlyDictionary<string, IEnumerable<LocalRecord>>? Locals { get; }

    /// <summary>Variables, harmless.</summary>
    public static IEnumerable<LocalRecord> Safe(ImmutableArray<LocalValue> locals)
        => locals.Select(local => new LocalRecord(SafeText.Escape(local.Name), SafeText.Escape(local.Type), SafeText.Escape(local.Value))).ToArray();
}

/// <summary>How far the values of a variable differ between equal stacks.</summary>
/// <param name="Frame">Index of its frame (0 = innermost).</param>
/// <param name="Name">Its name.</param>
/// <param name="Values">How many different values there are.</param>
/// <param name="Of">How many stacks have a value.</param>
/// <param name="Largest">The values that most have; absent if all differ.</param>
internal sealed record SpreadRecord(int Frame, string Name, long Values, long Of, IEnumerable<LabelShareRecord>? Largest);
