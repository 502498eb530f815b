namespace Async2.Analysis.Layouts;

/// <summary>A loop of a framework that most of the time waits for somebody to talk to it.</summary>
/// <param name="Type">Its class, without type arguments.</param>
/// <param name="Method">The method that loops.</param>
/// <param name="Awaited">Ends of the names of the types that it waits for when it has nothing to do; none: whatever it waits for.</param>
/// <param name="Name">What it is to a user.</param>
internal sealed record IdleLoop(string Type, string Method, string[] Awaited, string Name)
{
    /// <summary>Field of the loop's object that is 0 while nothing has begun: a number, or a reference.</summary>
    public string? ZeroWhenIdle { get; init; }

    /// <summary>Methods of the framework that it calls may be waiting on its behalf.</summary>
    public bool IsIdleInCalls { get; init; }
}

/// <summary>
/// Idle loops of ASP.NET Core and HttpClient 10.0.12 and of Microsoft.Testing.Platform 2.5, by the names of their methods. A loop that waits for anything else, such as a
/// client that does not read, is at work. What cannot be asked is not taken for idle.
/// </summary>
internal static class IdleLoops
{
    private const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.";
    private const string Sockets = "Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets.";
    private const string Connections = "Microsoft.AspNetCore.Http.Connections.Internal.";

    private static readonly string[] Reader = ["Pipe.DefaultPipeReader"];
    private static readonly string[] AnyOf = ["WhenAnyPromise", "WhenAnyPromise<System.Threading.Tasks.Task>"];
    private static readonly string[] Items = ["WaitingReadAsyncOperation"];

    private static readonly ILookup<string, IdleLoop> Table = new IdleLoop[]
    {
        new(Sockets + "SocketConnectionListener", "AcceptAsync", ["SocketAsyncEventArgs", "SocketAsyncEventArgs<System.Net.Sockets.Socket>"], "Kestrel accept"),
        new(Sockets + "Internal.SocketConnection", "DoReceive", ["SocketReceiver"], "Kestrel receive"),
        new(Sockets + "Internal.SocketConnection", "DoSend", Reader, "Kestrel send"),
        // HttpProtocol.RequestProcessingStatus.RequestPending: no byte of the next request has arrived. With TLS, methods that it calls wait.
        new(Kestrel + "Http.HttpProtocol", "ProcessRequests", Reader, "HTTP/1.1 keep-alive") { ZeroWhenIdle = "_requestProcessingStatus", IsIdleInCalls = true },
        new(Kestrel + "Http2.Http2Connection", "ProcessRequestsAsync", Reader, "HTTP/2 keep-alive") { ZeroWhenIdle = "_currentHeadersStream" },
        new(Kestrel + "Http2.Http2Connection", "CopyPipeAsync", Reader, "HTTP/2 receive") { IsIdleInCalls = true },
        new(Kestrel + "Http2.Http2FrameWriter", "WriteToOutputPipe", Items, "HTTP/2 send"),
        new("Microsoft.AspNetCore.SignalR.HubConnectionHandler", "DispatchMessagesAsync", Reader, "SignalR dispatch"),
        new(Connections + "Transports.WebSocketsServerTransport", "StartReceiving", Reader, "WebSocket receive") { IsIdleInCalls = true },
        new(Connections + "Transports.WebSocketsServerTransport", "StartSending", Reader, "WebSocket send"),
        new(Connections + "Transports.WebSocketsServerTransport", "ProcessSocketAsync", AnyOf, "SignalR connection"),
        new(Connections + "Transports.ServerSentEventsServerTransport", "ProcessRequestAsync", Reader, "SignalR connection"),
        new(Connections + "Transports.LongPollingServerTransport", "ProcessRequestAsync", Reader, "SignalR connection"),
        new(Connections + "HttpConnectionDispatcher", "ExecuteAsync", AnyOf, "SignalR connection"),
        new(Connections + "HttpConnectionManager", "ExecuteTimerLoop", ["PeriodicTimer.State"], "SignalR timer"),
        new("System.Net.Http.Http2Connection", "ProcessIncomingFramesAsync", ["SocketAsyncEventArgs"], "HttpClient HTTP/2 receive") { IsIdleInCalls = true },
        new("System.Net.Http.Http2Connection", "ProcessOutgoingFramesAsync", Items, "HttpClient HTTP/2 send"),
        new("Microsoft.Testing.Platform.Messages.AsyncConsumerDataProcessor", "ConsumeAsync", Items, "test platform messages"),
        new("System.Net.Http.HttpConnection", "CheckUsabilityOnScavenge.ReadAheadWithZeroByteReadAsync", ["SocketAsyncEventArgs"], "HttpClient keep-alive") { IsIdleInCalls = true },
    }.ToLookup(loop => loop.Method, StringComparer.Ordinal);

    /// <summary>The loop that a method of a framework is; null for any other.</summary>
    /// <param name="type">C# name of its class.</param>
    /// <param name="method">Its name.</param>
    /// <param name="awaited">C# name of the type of what the stack waits for; null if that is not known.</param>
    public static IdleLoop? Of(string? type, string? method, string? awaited)
    {
        if (type is null || method is null || !Table.Contains(method))
            return null;
        string definition = type.Split('<')[0];
        return Table[method].FirstOrDefault(loop => loop.Type == definition
            && awaited is not null && loop.Awaited.Any(end => awaited.EndsWith(end, StringComparison.Ordinal)));
    }
}
