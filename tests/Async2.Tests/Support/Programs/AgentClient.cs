using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace Async2.Tests.Support.Programs;

/// <summary>The protocol's official client, with the built tool as its server. Each answer is checked: it has the shape and the size that the server promises.</summary>
internal sealed class AgentClient : IAsyncDisposable
{
    private const int CharactersPerToken = 3;
    private const int UsualTokens = 4000;

    private readonly McpClient _client;
    private readonly Dictionary<string, JsonNode> _shapes = [];

    private AgentClient(McpClient client) => _client = client;

    public McpClient Protocol => _client;

    public IReadOnlyCollection<string> Tools => _shapes.Keys;

    /// <param name="options">Of <c>mcp</c>.</param>
    public static async Task<AgentClient> Start(params string[] options)
    {
        string[] words = ToolRun.Native is null ? [ToolRun.Program, "mcp", .. options] : ["mcp", .. options];
        var transport = new StdioClientTransport(new() { Command = ToolRun.Native ?? "dotnet", Arguments = words, Name = "dotnet-async2" });
        var client = new AgentClient(await McpClient.CreateAsync(transport, cancellationToken: TestContext.Current.CancellationToken));
        foreach (McpClientTool tool in await client._client.ListToolsAsync(cancellationToken: TestContext.Current.CancellationToken))
            client._shapes[tool.Name] = JsonNode.Parse(tool.ReturnJsonSchema!.Value.GetRawText())!;
        return client;
    }

    /// <summary>Asks, and expects an answer.</summary>
    public async Task<JsonObject> Ask(string tool, object arguments) => (await AskBoth(tool, arguments)).Data;

    /// <summary>The data, and the sentences beside it.</summary>
    public async Task<(JsonObject Data, string Text)> AskBoth(string tool, object arguments)
    {
        JsonObject given = JsonSerializer.SerializeToNode(arguments)!.AsObject();
        CallToolResult result = await Call(tool, given);
        string text = TextOf(result);
        Assert.False(result.IsError == true, text);
        string raw = result.StructuredContent!.Value.GetRawText();
        Assert.InRange(raw.Length + text.Length, 1, CharactersPerToken * ((int?)given["max_tokens"] ?? UsualTokens));
        JsonObject data = JsonNode.Parse(raw)!.AsObject();
        Assert.Empty(new SchemaCheck(_shapes[tool]).Errors(data));
        return (data, text);
    }

    /// <summary>Asks, and expects an error: its two lines.</summary>
    public async Task<string> Fail(string tool, object arguments)
    {
        CallToolResult result = await Call(tool, JsonSerializer.SerializeToNode(arguments)!.AsObject());
        string text = TextOf(result);
        Assert.True(result.IsError, text);
        Assert.Matches("\\Aerror: [^\n]+\nfix: [^\n]+\\z", text);
        return text;
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private static string TextOf(CallToolResult result) => Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;

    private ValueTask<CallToolResult> Call(string tool, JsonObject arguments)
        => _client.CallToolAsync(tool, arguments.ToDictionary(argument => argument.Key, argument => (object?)argument.Value), cancellationToken: TestContext.Current.CancellationToken);
}
