using System.Text.Json;
using Async2.Analysis.Rendering;
using Async2.Analysis.Stacks;

namespace Async2.Dump.Dap;

/// <summary>Stacks by what somebody types: in a console, or in a list that narrows as one types.</summary>
internal sealed class QueryRequests(DapSession session)
{
    private const int DefaultCount = 200;

    private static readonly string Help = string.Join('\n',
    [
        "Words of a query, all of which have to hold; patterns are regular expressions, in any case:",
        .. StackSearch.Filters.Select(filter => $"  {filter.Name + ":",-10}{filter.Meaning}"),
        "  WORD      in a method, a file or what is waited for",
        "stack s12   prints a whole stack",
        "help        prints this",
    ]);

    public IEnumerable<(string Command, DapHandler Handler)> All =>
    [
        ("evaluate", Evaluate),
        ("completions", Complete),
        ("async2/stacks", List),
    ];

    private DapReply Evaluate(DapRequest request, CancellationToken cancellation)
    {
        string text = (request.Text("expression") ?? "").Trim();
        if (request.Text("context") == "hover")
            throw DapError.Unknown("Nothing is evaluated here: the Debug Console takes queries about stacks.");
        Look look = session.Look;
        if (text is "help" or "?" or "")
            return Text(look, Help, null);
        if (StackNamed(text) is { } stack)
        {
            int thread = look.ThreadOf(stack);
            return Text(look, new StackListText(look).Of(thread), Node(look, thread));
        }
        (IReadOnlyList<int> found, bool isAboutObjects) = Find(look, text, cancellation);
        VariableNode? node = found.Count == 0 ? null : new(found.Count, (start, count) => found.Skip(start).Take(count).Select(thread => Line(look, thread)));
        return Text(look, new StackListText(look).Of(found, isAboutObjects), node);
    }

    private static (IReadOnlyList<int> Threads, bool IsAboutObjects) Find(Look look, string query, CancellationToken cancellation)
    {
        try
        {
            StackSearch search = StackSearch.Parse(query);
            return (search.In(look.Snapshot, cancellation), search.IsAboutObjects);
        }
        catch (QueryException exception)
        {
            throw DapError.Mistyped(exception);
        }
    }

    private static DapReply Text(Look look, string text, VariableNode? node) => new(writer =>
    {
        writer.WriteString("result", text);
        look.Variables.WriteReference(writer, node);
    });

    // "stack s12"; "s12" alone is meant so, too.
    private static string? StackNamed(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) switch
    {
        ["stack", var stack] => stack,
        ["stack"] => throw DapError.Unknown("Which stack? Type stack and its id: stack s1."),
        [['s', _, ..] stack] when stack[1..].All(char.IsAsciiDigit) => stack,
        _ => null,
    };

    private static VariableLine Line(Look look, int thread)
    {
        LogicalStack stack = look.StackOf(thread);
        return new VariableLine(stack.Id, StackNames.Of(stack), null, Node(look, thread));
    }

    private static VariableNode Node(Look look, int thread)
    {
        StackLines lines = look.LinesOf(thread);
        return new VariableNode(lines.Count, (start, count) => Enumerable.Range(start, count).Select(line =>
        {
            (StackLineKind kind, int index) = lines[line];
            return kind == StackLineKind.Frame
                ? new VariableLine(Words.Number(index), $"{StackNames.Of(lines.Stack.Frames[index])}  {DapText.Name(LocationText.Of(lines.Stack.Frames[index]))}".TrimEnd())
                : new VariableLine("", LabelText.Of(lines.Stack, kind, index));
        }));
    }

    private DapReply Complete(DapRequest request, CancellationToken cancellation)
    {
        string text = request.Text("text") ?? "";
        int column = Math.Clamp((request.Number("column") ?? text.Length) - session.Features.FirstColumn, 0, text.Length);
        (int start, IReadOnlyList<string> words) = QueryCompletions.At(text, column);
        return new DapReply(writer =>
        {
            writer.WriteStartArray("targets");
            foreach (string word in words)
            {
                writer.WriteStartObject();
                writer.WriteString("label", word);
                writer.WriteString("type", "keyword");
                writer.WriteNumber("start", start + session.Features.FirstColumn);
                writer.WriteNumber("length", column - start);
                writer.WriteEndObject();
            }
            writer.WriteEndArray();
        });
    }

    private DapReply List(DapRequest request, CancellationToken cancellation)
    {
        Look look = session.Look;
        int start = request.Number("start") ?? 0, count = request.Number("count") ?? DefaultCount;
        (IReadOnlyList<int> found, _) = Find(look, request.Text("query") ?? "", cancellation);
        return new DapReply(writer =>
        {
            writer.WriteNumber("total", found.Count);
            writer.WriteStartArray("stacks");
            foreach (int thread in found.Skip(start).Take(count))
                WriteStack(writer, thread, look.StackOf(thread));
            writer.WriteEndArray();
        });
    }

    private static void WriteStack(Utf8JsonWriter writer, int thread, LogicalStack stack)
    {
        writer.WriteStartObject();
        writer.WriteString("id", stack.Id);
        writer.WriteNumber("thread", thread);
        writer.WriteNumber("count", stack.Count);
        writer.WriteString("state", Words.Of(stack.State));
        writer.WriteString("name", StackNames.Of(stack));
        if (stack.WaitingOn is { } wait)
            writer.WriteString("wait", DapText.Name(wait.FullText));
        writer.WriteString("frame", StackListText.FrameOf(stack));
        writer.WriteEndObject();
    }
}
