using System.Text.Json;
using System.Text.Json.Nodes;
using Async2.Analysis.Analyses;
using Async2.Dump.Cli;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace Async2.Dump.Agents;

/// <summary>
/// A server of the Model Context Protocol on two streams. It reads no target itself: processes of the tool do, and it asks what they saved. Nothing that an
/// agent says or a target holds ends it.
/// </summary>
internal sealed class AgentServer(AgentOptions options) : IDisposable
{
    private const string Scheme = "async2://rules/";
    private const string Markdown = "text/markdown";

    private readonly Captures _captures = new(options, new(options));
    private readonly AgentTool[] _tools = [.. AgentTools.For(options)];

    /// <summary>Serves until the client closes its end.</summary>
    public void Run(Stream input, Stream output, CancellationToken cancellation) => RunAsync(input, output, cancellation).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public void Dispose() => _captures.Dispose();

    private async Task RunAsync(Stream input, Stream output, CancellationToken cancellation)
    {
        var transport = new StreamServerTransport(input, output, "dotnet-async2");
        await using (transport.ConfigureAwait(false))
        {
            McpServer server = McpServer.Create(transport, Settings());
            await using (server.ConfigureAwait(false))
                await server.RunAsync(cancellation).ConfigureAwait(false);
        }
    }

    private McpServerOptions Settings() => new()
    {
        ServerInfo = new() { Name = "dotnet-async2", Version = typeof(AgentServer).Assembly.GetName().Version?.ToString(3) ?? "0" },
        ServerInstructions = $"""
            Tells what the async methods of a .NET process or dump wait for, and why it hangs. Call analyze with a process id, a name, or a dump: it reads the target once and
            returns a capture id with the worst findings first. Ask that capture with findings, stack and query; explain_finding says what a rule means and how to fix it. To see
            whether something moves, analyze again a little later and call diff with both captures. A frame's token, mvid and ilOffset name the exact method for a decompiler.
            {AgentJson.Note}
            """,
        Capabilities = new() { Tools = new(), Resources = new() },
        Handlers = new()
        {
            ListToolsHandler = (_, _) => ValueTask.FromResult(new ListToolsResult { Tools = [.. _tools.Select(Described)] }),
            CallToolHandler = Call,
            ListResourcesHandler = (_, _) => ValueTask.FromResult(new ListResourcesResult { Resources = [.. FindingRules.All.Select(Page)] }),
            ReadResourceHandler = (request, _) => ValueTask.FromResult(Read(request.Params?.Uri ?? "")),
        },
    };

    private static Tool Described(AgentTool tool) => new()
    {
        Name = tool.Name,
        Description = tool.About,
        InputSchema = Element(tool.Input),
        OutputSchema = Element(AgentSchema.Plain(tool.Answer)),
        Annotations = new() { ReadOnlyHint = !tool.Writes, DestructiveHint = false, OpenWorldHint = false },
    };

    private static Resource Page(string rule) => new() { Name = rule, Uri = Scheme + rule, Description = FindingRules.SummaryOf(rule), MimeType = Markdown };

    private static ReadResourceResult Read(string uri)
        => uri.StartsWith(Scheme, StringComparison.Ordinal) && FindingRules.PageOf(uri[Scheme.Length..]) is { } page
            ? new() { Contents = [new TextResourceContents { Uri = uri, MimeType = Markdown, Text = page }] }
            : throw new McpProtocolException("there is no such resource", McpErrorCode.ResourceNotFound);

    private async ValueTask<CallToolResult> Call(RequestContext<CallToolRequestParams> request, CancellationToken cancellation)
    {
        string name = request.Params?.Name ?? "";
        AgentTool tool = Array.Find(_tools, tool => tool.Name == name) ?? throw new McpProtocolException("there is no such tool", McpErrorCode.InvalidParams);
        try
        {
            var call = new AgentCall(request.Params?.Arguments, _captures, options);
            call.CheckNames(tool.Input);
            AgentAnswer answer = await tool.Run(call, cancellation).ConfigureAwait(false);
            return new() { Content = [new TextContentBlock { Text = answer.Text }], StructuredContent = Element(answer.Data) };
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            return Failed(e);
        }
    }

    // The two lines of every error of the tool.
    private static CallToolResult Failed(Exception exception)
    {
        Failure failure = exception is AgentException agent ? new(agent.Message, agent.Fix, ExitCodes.Usage) : Failure.From(exception);
        return new() { IsError = true, Content = [new TextContentBlock { Text = $"error: {AgentJson.Safe(failure.Message)}\nfix: {AgentJson.Safe(failure.Fix)}" }] };
    }

    private static JsonElement Element(JsonNode node)
    {
        using var document = JsonDocument.Parse(node.ToJsonString());
        return document.RootElement.Clone();
    }
}
