using System.Text.Json;
using Async2.Analysis.Model;
using Async2.Analysis.Query;
using Async2.Tests.Support.Drawing;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Dap;

/// <summary>Text of a target is shown by an editor: nothing in it may act, and no length of it may freeze what shows it.</summary>
public sealed class HostileTextTests
{
    private const string Bad = "\u001b[2J\r\n\u202e\ud800\0";

    [Fact]
    public void Text_for_clients_has_no_control_characters_and_a_limited_length()
    {
        string huge = new('x', 1 << 20);
        foreach (string text in (string[])[Bad, "<img src=x onerror=alert(1)>", huge, huge + Bad])
        {
            using DapClient client = DapClient.Stopped(Hostile(text));
            foreach (JsonElement answer in Everything(client))
            {
                foreach (string shown in Texts(answer))
                {
                    // Lines of console text are ours.
                    Assert.DoesNotContain(shown.Replace("\n", "", StringComparison.Ordinal), c => char.IsControl(c) || c == '\u202e' || char.IsSurrogate(c));
                    Assert.InRange(shown.Length, 0, 25_000);
                }
            }
        }
    }

    [Fact]
    public void Names_in_lists_are_short()
    {
        using DapClient client = DapClient.Stopped(Hostile(new string('x', 1 << 20)));
        Assert.InRange(client.Call("threads").ToString().Length, 1, 5_000);
        Assert.InRange(client.Call("stackTrace", new { threadId = 1 }).ToString().Length, 1, 20_000);
        Assert.InRange(client.Call("async2/stacks").ToString().Length, 1, 10_000);
    }

    [Fact]
    public void A_name_with_line_breaks_stays_one_line()
    {
        using DapClient client = DapClient.Stopped(Hostile("a\ns9  x1  deadlocked"));
        Assert.Equal(2, client.Ask("?s1 s1").Split('\n').Length);
    }

    private static IEnumerable<JsonElement> Everything(DapClient client)
    {
        yield return client.Call("threads");
        yield return client.Call("exceptionInfo", new { threadId = 1 });
        JsonElement stack = client.Call("stackTrace", new { threadId = 1 });
        yield return stack;
        foreach (JsonElement frame in stack.GetProperty("stackFrames").EnumerateArray())
        {
            foreach (JsonElement scope in client.Call("scopes", new { frameId = frame.GetProperty("id").GetInt32() }).GetProperty("scopes").EnumerateArray())
            {
                foreach (JsonElement variable in client.Open(scope))
                    yield return variable;
            }
            if (frame.TryGetProperty("source", out JsonElement source))
                yield return client.Call("source", new { source, sourceReference = source.GetProperty("sourceReference").GetInt32() });
        }
        yield return client.Call("async2/stacks");
        yield return client.Call("async2/findings");
        yield return client.Call("async2/places");
        yield return client.Call("async2/locate", new { stack = "s1" });
        yield return client.Call("evaluate", new { expression = "stack s1", context = "repl" });
        yield return client.Call("evaluate", new { expression = "state:awaiting", context = "repl" });
        foreach (JsonElement message in client.Events)
            yield return message;
    }

    private static IEnumerable<string> Texts(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => [element.GetString()!],
        JsonValueKind.Array => element.EnumerateArray().SelectMany(Texts),
        JsonValueKind.Object => element.EnumerateObject().SelectMany(property => Texts(property.Value)),
        _ => [],
    };

    private static StackView Hostile(string text) => new SnapshotDrawing { Target = new SnapshotDrawing().Target with { Path = text } }
        .Stack(2, StackState.Awaiting, new WaitingOn(WaitKind.Task, text, 0x7f10, text) { Detail = text }, $"{text}.{text}({text})")
        .WithFrame(0, frame => frame with { File = "/src/" + text, Line = 3, Module = text, Type = text, Name = text })
        .Locals(0, $"{text.Replace(" ", "_", StringComparison.Ordinal)} {text.Replace(" ", "_", StringComparison.Ordinal)} = {text}")
        .Problem("A2D2003", text)
        .Finding(Severity.Error, text, text, "s1")
        .Snapshot();
}
