using System.Collections.Immutable;
using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>Stacks that match a query: in the console, or in a list that is filtered as the user types.</summary>
internal sealed class QueryRequests(DapSession session)
{
    /// <summary>What a query in the console begins with: anything else is a variable.</summary>
    public const string Prefix = "?";

    private const int DefaultCount = 200;

    private static readonly string Help = string.Join('\n',
    [
        "order.Items[2].Id   a variable of the selected frame, its fields and elements; fields of this also without this",
        "$count $state $wait $age $task $thread $id $labels   facts of the selected stack",
        "?Pay state:blocked  stacks that match all of this. A filter such as state: needs no question mark. Patterns are regular expressions and ignore case:",
        .. QueryOptionTable.Filters.Select(option => $"  {option.SearchWord,-13}{option.WholeHelp}: {option.SearchWord}{option.Example}"),
        "  WORD         Only stacks with this in a method, a file or what they wait for",
        "stack s12      prints a whole stack",
        "help           prints this",
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
        DapCapture capture = session.Capture;
        // Only in the console is there anything but variables.
        if (request.Text("context") is not (null or "repl"))
            return Value(capture, text, ValueOf(capture, request, text) ?? throw Missing(text));
        if (text is "help" or Prefix or "")
            return Text(capture, Help, null);
        if (StackNamed(text) is { } stack)
        {
            int thread = capture.ThreadOf(stack);
            return Text(capture, new StackListText(capture).Of(thread), Node(capture, thread));
        }
        if (!IsQuery(text))
            return Value(capture, text, ValueOf(capture, request, text) ?? throw Missing(text));
        IReadOnlyList<int> found = Find(capture, text.StartsWith(Prefix, StringComparison.Ordinal) ? text[Prefix.Length..].Trim() : text, cancellation);
        VariableNode? node = found.Count == 0 ? null : new(found.Count, (start, count) => found.Skip(start).Take(count).Select(thread => Line(capture, thread)));
        return Text(capture, new StackListText(capture).Of(found), node);
    }

    private static bool IsQuery(string text) => text.StartsWith(Prefix, StringComparison.Ordinal) || text.Split(' ').Any(IsFilter);

    // Nothing in C# that is looked up here has a colon; a filter that is mistyped is told what there is.
    private static bool IsFilter(string word)
        => word.IndexOf(':', StringComparison.Ordinal) is > 0 and var colon && word[..colon].All(letter => char.IsAsciiLetterLower(letter) || letter == '-') && !word.AsSpan(colon).StartsWith("::", StringComparison.Ordinal);

    private static DapException Missing(string text) => DapError.Unknown(VariablePath.Parse(text) is null
        ? "Expressions are not evaluated: only variables, their fields and elements are available, and queries with ? before them (help tells more)."
        : $"There is no variable '{DapText.Name(text)}' in this frame. To search stacks, type ?{DapText.Name(text)}");

    // A variable of the given frame; null without one.
    private static VariableLine? ValueOf(DapCapture capture, DapRequest request, string text)
    {
        if (capture.Snapshot.Stacks.IsEmpty || request.Number("frameId") is not { } frame || VariablePath.Parse(text) is not { } path)
            return null;
        (int thread, int line) = capture.Frames.Find(frame);
        StackLines lines = capture.LinesOf(thread);
        if (path[0].StartsWith('$'))
            return path.Count == 1 ? StackFacts.Of(lines.Stack, path[0]) : null;
        return lines[line] is (StackLineKind.Frame, var index) ? VariablePath.Find(capture.OfFrames.LocalsOf(thread, lines.Stack, index), path) : null;
    }

    private static DapReply Value(DapCapture capture, string text, VariableLine variable) => new(writer =>
    {
        writer.WriteString("result", variable.Value);
        variable.Parts?.SetPath(text);
        if (variable.Type is { } type)
            writer.WriteString("type", type);
        capture.Variables.WriteReference(writer, variable.Parts);
    });

    private static IReadOnlyList<int> Find(DapCapture capture, string query, CancellationToken cancellation)
    {
        try
        {
            return capture.Find(StackSearch.Parse(query), cancellation);
        }
        catch (QueryException exception)
        {
            throw DapError.Mistyped(exception);
        }
    }

    private static DapReply Text(DapCapture capture, string text, VariableNode? node) => new(writer =>
    {
        writer.WriteString("result", text);
        capture.Variables.WriteReference(writer, node);
    });

    // "stack s12"; "s12" alone means the same.
    private static string? StackNamed(string text) => text.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) switch
    {
        ["stack", var stack] => stack,
        ["stack"] => throw DapError.Unknown("Which stack? Type stack and its id: stack s1."),
        [['s', _, ..] stack] when stack[1..].All(char.IsAsciiDigit) => stack,
        _ => null,
    };

    private static VariableLine Line(DapCapture capture, int thread)
    {
        LogicalStack stack = capture.StackOf(thread);
        return new VariableLine(stack.Id, StackNames.Of(stack), null, Node(capture, thread));
    }

    private static VariableNode Node(DapCapture capture, int thread)
    {
        StackLines lines = capture.LinesOf(thread);
        return new VariableNode(lines.Count, (start, count) => Enumerable.Range(start, count).Select(line =>
        {
            (StackLineKind kind, int index) = lines[line];
            return kind == StackLineKind.Frame
                ? new VariableLine(DisplayText.Number(index), $"{StackNames.Of(lines.Stack.Frames[index])}  {DapText.Name(LocationText.Of(lines.Stack.Frames[index]))}".TrimEnd())
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
        DapCapture capture = session.Capture;
        int start = request.Number("start") ?? 0, count = request.Number("count") ?? DefaultCount;
        IReadOnlyList<int> found = capture.Threads.Sorted(Find(capture, request.Text("query") ?? "", cancellation));
        return new DapReply(writer =>
        {
            writer.WriteNumber("total", found.Count);
            writer.WriteStartArray("stacks");
            foreach (int thread in found.Skip(start).Take(count))
                WriteStack(writer, thread, capture.StackOf(thread));
            writer.WriteEndArray();
            if (capture.Threads.Idle is { IsEmpty: false } idle && found.Count == capture.Snapshot.Stacks.Length)
                WriteIdle(writer, idle);
        });
    }

    // They come last in the list.
    private static void WriteIdle(Utf8JsonWriter writer, ImmutableArray<LogicalStack> idle)
    {
        writer.WriteStartObject("idle");
        writer.WriteNumber("entries", idle.Length);
        writer.WriteString("name", IdleText.Count(idle));
        writer.WriteString("text", DapText.Name(IdleText.Names(idle)));
        writer.WriteEndObject();
    }

    private static void WriteStack(Utf8JsonWriter writer, int thread, LogicalStack stack)
    {
        writer.WriteStartObject();
        writer.WriteString("id", stack.Id);
        writer.WriteNumber("thread", thread);
        writer.WriteNumber("count", stack.Count);
        writer.WriteString("state", DisplayText.Of(stack.State));
        writer.WriteString("name", StackNames.Of(stack));
        if (stack.WaitingOn is { } wait)
            writer.WriteString("wait", DapText.Name(wait.FullText));
        writer.WriteString("frame", StackListText.FrameOf(stack));
        if (AgeText.Of(stack) is { } age)
            writer.WriteString("age", DapText.Name(age));
        if (LabelLine.Of(stack) is { } labels)
            writer.WriteString("labels", DapText.Name(labels));
        if (stack.Idle is { } loop)
            writer.WriteString("idle", loop);
        writer.WriteEndObject();
    }
}
