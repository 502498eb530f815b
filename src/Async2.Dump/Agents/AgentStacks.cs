using System.Globalization;
using System.Text.Json.Nodes;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Ages;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;

namespace Async2.Dump.Agents;

/// <summary>Stacks and frames as agents see them: a group in a few lines, or each frame with all that identifies its method.</summary>
internal static class AgentStacks
{
    private const char IdMark = 'm';
    private const int BriefFrames = 6;
    private const int BriefLabels = 6;

    /// <summary>A group of equal stacks.</summary>
    public static JsonObject Group { get; } = AgentSchema.Record(
        ("id", AgentSchema.Text()), ("key!", AgentSchema.Text()), ("count!", AgentSchema.Number("Stacks of the group.")), ("state!", AgentSchema.Text()),
        ("waitingOn", AgentSchema.Text("What the innermost frame waits for, and why it has not happened.")), ("age", AgentSchema.Text("For how long.")), ("idle", AgentSchema.Text("A server's loop on which nothing happens.")),
        ("thread", AgentSchema.Number()), ("labels", AgentSchema.Map("For whom it works: request, route, trace, and AsyncLocals of the program.")),
        ("frames!", AgentSchema.List(AgentSchema.Text(), "Innermost first, frames of .NET left out.")), ("moreFrames", AgentSchema.Number("Frames of the program that are not listed.")));

    /// <summary>One frame.</summary>
    public static JsonObject Frame { get; } = AgentSchema.Record(
        ("index!", AgentSchema.Number("0 is the innermost.")), ("kind!", AgentSchema.Text()), ("method!", AgentSchema.Text()), ("module", AgentSchema.Text()), ("file", AgentSchema.Text("As the PDB has it.")),
        ("line", AgentSchema.Number("Of the await.")), ("exactness!", AgentSchema.Text("How sure the line is: exact, order, approximate, none.")), ("token", AgentSchema.Text("Metadata token, for decompilers.")),
        ("mvid", AgentSchema.Text("The module's build.")), ("ilOffset", AgentSchema.Number()), ("address", AgentSchema.Text("The object behind it.")), ("age", AgentSchema.Text()), ("endpoint", AgentSchema.Text()),
        ("note", AgentSchema.Text()), ("framework", AgentSchema.Flag()), ("folded", AgentSchema.Number("Frames of .NET hidden below it.")));

    /// <summary>A group in a few lines, of a capture.</summary>
    public static JsonObject Brief(LogicalStack stack) => Brief(stack, IdOf(stack));

    /// <summary>A group in a few lines.</summary>
    /// <param name="stack">The group.</param>
    /// <param name="id">By which the capture can be asked for it; null for none.</param>
    public static JsonObject Brief(LogicalStack stack, string? id)
    {
        FrameList all = stack.Frames;
        IEnumerable<LogicalFrame> own = all.Where(frame => !frame.IsFramework);
        int owned = own.Count();
        JsonArray frames = AgentJson.List((owned > 0 ? own : all).Take(BriefFrames).Select(Place));
        JsonObject group = Head(stack, id);
        group["frames"] = frames;
        return group.With("moreFrames", owned > BriefFrames ? owned - BriefFrames : (long?)null);
    }

    /// <summary>What there is to say of a group besides its frames.</summary>
    public static JsonObject Head(LogicalStack stack, string? id)
    {
        var labels = new JsonObject();
        foreach (var label in stack.Labels.Take(BriefLabels))
            labels[AgentJson.Safe(label.Name, 100)] = AgentJson.Safe(label.Value, 200);
        return new JsonObject().With("id", id).With("key", stack.Key ?? "").With("count", stack.Count).With("state", DisplayText.Of(stack.State))
            .With("waitingOn", stack.WaitingOn?.FullText).With("age", AgeText.Of(stack)).With("idle", stack.Idle).With("thread", stack.Thread).With("labels", labels);
    }

    /// <summary>A frame with all that is known of it.</summary>
    public static JsonObject Whole(LogicalFrame frame, int index)
        => new JsonObject { ["index"] = index, ["kind"] = DisplayText.Of(frame.Kind), ["method"] = AgentJson.Safe(frame.Method), ["exactness"] = DisplayText.Of(frame.Exactness) }
            .With("module", frame.Module).With("file", frame.File).With("line", frame.Line)
            .With("token", frame.MethodToken is { } token ? string.Create(CultureInfo.InvariantCulture, $"0x{token:x8}") : null).With("mvid", frame.ModuleVersion?.ToString())
            .With("ilOffset", frame.ILOffset).With("address", frame.Address is { } address ? "0x" + address.ToString("x", CultureInfo.InvariantCulture) : null).With("age", Age(frame.Age))
            .With("endpoint", frame.Endpoint).With("note", frame.Note).With("framework", frame.IsFramework ? JsonValue.Create(true) : null).With("folded", frame.Folded > 0 ? frame.Folded : (long?)null);

    /// <summary>How long something has lasted, in words; null if nothing is known.</summary>
    public static string? Age(StackAge? age) => age switch
    {
        null => null,
        { IsExact: true } => "for " + DisplayText.Duration(age.AtLeastMs),
        { AtMostMs: { } most } => $"for at least {DisplayText.Duration(age.AtLeastMs)}, at most {DisplayText.Duration(most)}",
        _ => "for at least " + DisplayText.Duration(age.AtLeastMs),
    };

    /// <summary>How many groups come before a place in an answer: <c>KEY#2</c> is behind the second group with that key.</summary>
    /// <exception cref="AgentException">There is no such place.</exception>
    public static int Before(StackView view, string? after)
    {
        if (after is null)
            return 0;
        int mark = after.LastIndexOf('#');
        int seen = 0, wanted = mark > 0 && int.TryParse(after.AsSpan(mark + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int count) ? count : 1;
        string key = mark > 0 ? after[..mark] : after;
        for (int i = 0; i < view.Stacks.Length; i++)
        {
            if (view.Stacks[i].Key == key && ++seen == wanted)
                return i + 1;
        }
        throw new AgentException("'after' is no place of this answer", "repeat the same question with what its field 'next' said");
    }

    /// <summary>The place behind so many groups of an answer; null if nothing is behind it.</summary>
    public static string? PlaceAfter(StackView view, int shown)
    {
        if (shown == 0 || shown >= view.Stacks.Length)
            return null;
        string? key = view.Stacks[shown - 1].Key;
        int same = view.Stacks.Take(shown).Count(stack => stack.Key == key);
        return same == 1 ? key : string.Create(CultureInfo.InvariantCulture, $"{key}#{same}");
    }

    /// <summary>
    /// By which a capture can be asked for a group, whatever filters found it: ids of an answer are those of its order, and name another group in the next one.
    /// </summary>
    public static string IdOf(LogicalStack stack) => string.Create(CultureInfo.InvariantCulture, $"{IdMark}{stack.Members[0]}");

    /// <summary>The same for a group that an answer names by its own id.</summary>
    public static string? IdIn(StackView view, string id) => view.Stacks.FirstOrDefault(stack => stack.Id == id) is { } stack ? IdOf(stack) : null;

    /// <summary>A stack by its id or key.</summary>
    /// <exception cref="AgentException">There is none.</exception>
    public static LogicalStack Find(StackView view, string word)
        => (word.Length > 1 && word[0] == IdMark && int.TryParse(word.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out int member) ? view.Stacks.FirstOrDefault(stack => stack.Members.Contains(member)) : null)
            ?? view.Stacks.FirstOrDefault(stack => stack.Key == word)
            ?? throw new AgentException($"there is no stack {AgentJson.Quoted(word, 80)} in this capture", "use an id or a key that analyze, findings or query returned");

    private static string Place(LogicalFrame frame)
    {
        string line = frame is { File: { } file, Line: { } number }
            ? string.Create(CultureInfo.InvariantCulture, $" ({file[(file.LastIndexOfAny(['/', '\\']) + 1)..]}:{(frame.Exactness == Exactness.Approximate ? "~" : "")}{number}{(frame.Exactness == Exactness.Order ? "*" : "")})")
            : frame.Module is { } module ? $" ({module})" : "";
        return AgentJson.Safe(frame.Method, 200) + line;
    }
}
