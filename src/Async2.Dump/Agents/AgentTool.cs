using System.Text.Json;
using System.Text.Json.Nodes;

namespace Async2.Dump.Agents;

/// <summary>One thing that an agent can ask for.</summary>
internal abstract class AgentTool
{
    /// <summary>The most tokens that an answer may have, by the agent's own choice.</summary>
    protected const string MaxTokens = "max_tokens";

    /// <summary>Where to go on.</summary>
    protected const string After = "after";

    public abstract string Name { get; }

    /// <summary>What it does and when to use it, for the agent.</summary>
    public abstract string About { get; }

    /// <summary>It writes a file.</summary>
    public virtual bool Writes => false;

    /// <summary>Arguments, besides the number of tokens.</summary>
    public abstract (string Name, JsonObject Type)[] Arguments { get; }

    /// <summary>Shape of the answer.</summary>
    public abstract JsonObject Answer { get; }

    /// <summary>Shape of all arguments.</summary>
    public JsonObject Input => AgentSchema.Record(
        [.. Arguments, (MaxTokens, AgentSchema.Number($"The most tokens of the answer, {TokenBudget.Least} to {TokenBudget.Most}. What does not fit is said, with where to go on."))]);

    /// <summary>Answers.</summary>
    /// <exception cref="AgentException">It cannot.</exception>
    public abstract Task<AgentAnswer> Run(AgentCall call, CancellationToken cancellation);
}

/// <summary>An answer: a few sentences, and the data. Both count.</summary>
/// <param name="Text">For people and small models.</param>
/// <param name="Data">The shape is the tool's.</param>
internal sealed record AgentAnswer(string Text, JsonObject Data);

/// <summary>A question of an agent.</summary>
/// <param name="arguments">What it gave along.</param>
/// <param name="captures">What was read.</param>
/// <param name="options">What the person allows.</param>
internal sealed class AgentCall(IDictionary<string, JsonElement>? arguments, Captures captures, AgentOptions options)
{
    public Captures Captures => captures;

    public AgentOptions Options => options;

    /// <summary>A text that has to be given.</summary>
    public string Needed(string name) => Given(name) ?? throw new AgentException($"'{name}' is missing", "give it as a text");

    /// <summary>A text or number; null if it is not given.</summary>
    public string? Given(string name) => arguments is not null && arguments.TryGetValue(name, out JsonElement value) ? TextOf(name, value) : null;

    /// <summary>A text, or a list of them.</summary>
    public IEnumerable<string> All(string name)
    {
        if (arguments is null || !arguments.TryGetValue(name, out JsonElement value))
            return [];
        return value.ValueKind == JsonValueKind.Array ? value.EnumerateArray().Select(item => TextOf(name, item)).OfType<string>() : TextOf(name, value) is { } text ? [text] : [];
    }

    /// <summary>Refuses what the tool does not know: a misspelt filter would be an answer to another question.</summary>
    public void CheckNames(JsonObject input)
    {
        foreach (string name in arguments?.Keys ?? [])
        {
            if (input["properties"]![name] is null)
                throw new AgentException($"there is no argument {AgentJson.Quoted(name, 40)}", "use " + string.Join(", ", input["properties"]!.AsObject().Select(property => property.Key)));
        }
    }

    /// <summary>What the answer may cost.</summary>
    public TokenBudget Budget()
    {
        if (Given("max_tokens") is not { } text)
            return new(options.MaxTokens);
        return int.TryParse(text, out int tokens) && tokens is >= TokenBudget.Least and <= TokenBudget.Most ? new(tokens)
            : throw new AgentException("'max_tokens' is not a number that is possible here", $"give one from {TokenBudget.Least} to {TokenBudget.Most}");
    }

    private static string? TextOf(string name, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.Undefined => null,
        JsonValueKind.String => value.GetString(),
        JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False => value.GetRawText(),
        _ => throw new AgentException($"'{name}' is neither a text nor a number", "give a plain value"),
    };
}
