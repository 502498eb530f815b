extern alias experiment;
using System.Text.Json;
using System.Text.Json.Serialization;
using experiment::TaskletFixture.Runtime;
using Owner = experiment::System.Runtime.CompilerServices.RuntimeHelpers.RuntimeAsyncMaintainedData;

namespace TaskletFixture;

/// <summary>All that the program says about itself.</summary>
internal sealed class Truth(Options options)
{
    private static readonly JsonSerializerOptions Form = new(JsonSerializerDefaults.Web) { DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull };

    private readonly List<StackTruth> _stacks = [];

    // Weak: a situation wants owners to be collected.
    private readonly List<WeakReference<Owner>> _owners = [];

    /// <summary>Tasklets are in a list, and have a generation.</summary>
    public bool HasList => options.Variant != "v2";

    public DamageTruth? Damage { get; set; }

    /// <summary>Keeps what must not be collected.</summary>
    public List<object> Kept { get; } = [];

    /// <summary>Opens a stack.</summary>
    public Trail Open(string name, params string[] awaitedBy)
    {
        var stack = new StackTruth { Name = name };
        stack.AwaitedBy.AddRange(awaitedBy);
        _stacks.Add(stack);
        Kept.Add(stack.Gate);
        return stack.Root = new Trail(stack);
    }

    public void Owned(Owner owner)
    {
        lock (_owners)
            _owners.Add(new(owner));
    }

    /// <summary>Holds all tasklets against the rules.</summary>
    /// <exception cref="InvalidOperationException">One breaks a rule that it was not damaged for, or none does that should.</exception>
    public CheckTruth Check()
    {
        long good = 0;
        string? broken = NativeTasklets.VerifyList(out long listed);
        foreach (WeakReference<Owner> reference in _owners)
        {
            if (!reference.TryGetTarget(out var owner))
                continue;
            string? rule = NativeTasklets.Verify(owner.Innermost, out int count);
            broken ??= rule;
            good += count;
        }
        if (broken != (Damage?.Rule == Damages.Contract ? null : Damage?.Rule))
            throw new InvalidOperationException($"the check finds {broken ?? "nothing"}, and not {Damage?.Rule ?? "nothing"}");
        return new CheckTruth(good, listed);
    }

    public string ToJson()
    {
        CheckTruth check = Check();
        return JsonSerializer.Serialize(new
        {
            Schema = "tasklets.truth/1",
            options.Variant,
            Contract = !options.NoContract,
            Stacks = _stacks.Select(s => new
            {
                Scenario = options.Situation,
                Stack = s.Name,
                s.State,
                Count = s.Count == 1 ? (int?)null : s.Count,
                Frames = s.Root.Frames().Reverse(),
                s.Leaf,
                AwaitedBy = s.AwaitedBy.Count == 0 ? null : s.AwaitedBy,
                s.Note,
            }),
            Damage,
            Check = check,
        }, Form);
    }
}
