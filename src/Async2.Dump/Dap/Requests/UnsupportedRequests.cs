using System.Text.Json;
using Async2.Dump.Dap.Protocol;
using Async2.Dump.Dap.Session;

namespace Async2.Dump.Dap.Requests;

/// <summary>Requests that a debugger supports and this one does not: each is answered with the reason.</summary>
internal static class UnsupportedRequests
{
    private const string NoBreakpoints = "Breakpoints are not possible: this session only reads stacks and changes nothing.";

    private static readonly string[] Moves =
        ["continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue", "goto", "restartFrame", "restart", "terminateThreads", "setVariable", "setExpression", "writeMemory"];

    public static IEnumerable<(string Command, DapHandler Handler)> All(DapSession session) =>
    [
        .. Moves.Select(move => (move, (DapHandler)((_, _) => throw DapError.Refused(Why(session))))),
        ("setBreakpoints", (request, _) => Unverified(request, "breakpoints")),
        ("setFunctionBreakpoints", (request, _) => Unverified(request, "breakpoints")),
        ("setInstructionBreakpoints", (request, _) => Unverified(request, "breakpoints")),
        ("setDataBreakpoints", (request, _) => Unverified(request, "breakpoints")),
        ("setExceptionBreakpoints", (request, _) => Unverified(request, "filters")),
    ];

    private static string Why(DapSession session) => session.Arguments switch
    {
        { IsDump: true } => "A dump cannot continue or be changed: it shows a process at one moment.",
        _ => "The process was only stopped for a moment: it runs on, and the stacks are those of that moment. Pause or refresh to capture again.",
    };

    // One response for each requested breakpoint.
    private static DapReply Unverified(DapRequest request, string list) => new(writer =>
    {
        int count = request.Find(list) is { ValueKind: JsonValueKind.Array } wanted ? wanted.GetArrayLength() : 0;
        writer.WriteStartArray("breakpoints");
        for (int i = 0; i < count; i++)
        {
            writer.WriteStartObject();
            writer.WriteBoolean("verified", false);
            writer.WriteString("message", NoBreakpoints);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    });
}
