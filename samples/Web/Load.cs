using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Web;

/// <summary>A request as the client sent it.</summary>
/// <param name="Method">GET.</param>
/// <param name="Path">Without the query.</param>
/// <param name="Query">With its question mark; empty for none.</param>
/// <param name="Route">The endpoint's pattern.</param>
/// <param name="Trace">The trace id of its traceparent.</param>
/// <param name="Tenant">The header that the program keeps.</param>
/// <param name="Handler">The method that it stopped in.</param>
/// <param name="Stacks">How many logical stacks work for it.</param>
/// <param name="Sent">When, by the machine's tick count.</param>
internal sealed record SentRequest(string Method, string Path, string Query, string Route, string Trace, string Tenant, string Handler, int Stacks, long Sent);

/// <summary>The clients: sockets, which have no operations of their own, and one HttpClient for HTTP/2.</summary>
internal sealed class Load(Uri[] servers, string mode, bool hasDatabases) : IDisposable
{
    private readonly List<object> _kept = [];
    private readonly HttpClient _http2 = new(new SocketsHttpHandler { ActivityHeadersPropagator = null }) { Timeout = Timeout.InfiniteTimeSpan };
    private int _sent;

    /// <summary>Without an answer.</summary>
    public List<SentRequest> Open { get; } = [];

    /// <summary>Answered: on no stack.</summary>
    public List<SentRequest> Ended { get; } = [];

    /// <summary>Answered, and work of them is left.</summary>
    public List<SentRequest> Left { get; } = [];

    /// <summary>How many methods have to stop.</summary>
    public int Waits => Open.Sum(request => request.Handler == "TotalAsync" ? 2 : 1) + Left.Count;

    // What works beside a request knows it if the server has told it.
    private int OfAudit => mode is "accessor" or "listener" ? 2 : 1;

    /// <inheritdoc/>
    public void Dispose() => _http2.Dispose();

    public async Task SendAllAsync(int each)
    {
        for (int i = 0; i < each; i++)
        {
            await EndAsync("GET", "/ping/{id:int}", "/ping/" + Next(), Ended);
            await EndAsync("POST", "/mails/{id:int}", "/mails/" + Next(), Left);
            // Each on a connection of its own.
            Send(Connect(), Made("GET", "/orders/{id:int}", "/orders/" + Next(), "?card=4711", "OrderAsync"));
            Send(Connect(), Made("POST", "/orders", "/orders", $"?amount={Next()}", "PayAsync"));
            Send(Connect(), Made("GET", "/customers/{id:int}", "/customers/" + Next(), "", "CustomerAsync", 3));
            Send(Connect(), Made("GET", "/reports/{id:int}", "/reports/" + Next(), "", "Report"));
            Send(Connect(), Made("GET", "/audits/{id:int}", "/audits/" + Next(), "", "AuditAsync", OfAudit));
            if (hasDatabases)
                SendToDatabases();
            // A connection that was used, and is kept, belongs to the second request.
            Socket used = Ask("GET", "/ping/{id:int}", "/ping/" + Next());
            Send(used, Made("DELETE", "/baskets/{id:int}", "/baskets/" + Next(), "", "EmptyAsync"));
            // One that is idle belongs to none.
            _kept.Add(Ask("GET", "/ping/{id:int}", "/ping/" + Next()));
            // Streams of HTTP/2 are used again, too.
            await SendHttp2Async(Made("GET", "/ping/{id:int}", "/ping/" + Next(), "", "", list: Ended));
            _kept.Add(SendHttp2Async(Made("GET", "/orders/{id:int}", "/orders/" + Next(), "?card=4712", "OrderAsync")));
        }
    }

    private void SendToDatabases()
    {
        Send(Connect(), Made("GET", "/invoices/{id:int}", "/invoices/" + Next(), "", "InvoiceAsync"));
        Send(Connect(), Made("GET", "/ledgers/{id:int}", "/ledgers/" + Next(), "", "Ledger"));
        Send(Connect(), Made("GET", "/balances/{id:int}", "/balances/" + Next(), "", "Balance"));
        Send(Connect(), Made("GET", "/coupons/{id:int}", "/coupons/" + Next(), "", "Coupon"));
        Send(Connect(), Made("GET", "/carts/{id:int}", "/carts/" + Next(), "", "CartAsync"));
        Send(Connect(), Made("GET", "/totals/{id:int}", "/totals/" + Next(), "", "TotalAsync", 3));
        Send(Connect(), Made("GET", "/stocks/{id:int}", "/stocks/" + Next(), "", "StockAsync"));
    }

    private int Next() => ++_sent;

    private SentRequest Made(string method, string route, string path, string query, string handler, int stacks = 1, List<SentRequest>? list = null)
    {
        var request = new SentRequest(method, path, query, route, ActivityTraceId.CreateRandom().ToHexString(), "t" + _sent, handler, stacks, Environment.TickCount64);
        (list ?? Open).Add(request);
        return request;
    }

    private Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, servers[0].Port);
        _kept.Add(socket);
        return socket;
    }

    private static string ParentOf(SentRequest request) => $"00-{request.Trace}-{ActivitySpanId.CreateRandom().ToHexString()}-01";

    private static void Send(Socket socket, SentRequest request)
    {
        string text = $"{request.Method} {request.Path}{request.Query} HTTP/1.1\r\nHost: shop\r\ntraceparent: {ParentOf(request)}\r\nX-Tenant: {request.Tenant}\r\nAccept-Language: de-CH\r\n"
            + (request.Method == "POST" ? "Content-Length: 0\r\n\r\n" : "\r\n");
        socket.Send(Encoding.ASCII.GetBytes(text));
    }

    private Socket Ask(string method, string route, string path)
    {
        Socket socket = Connect();
        Send(socket, Made(method, route, path, "", "", list: Ended));
        socket.Receive(new byte[4096]);
        return socket;
    }

    private async Task EndAsync(string method, string route, string path, List<SentRequest> list)
    {
        SentRequest request = Made(method, route, path, "", "SendMailAsync", list: list);
        using Socket socket = Connect();
        Send(socket, request);
        await socket.ReceiveAsync(new byte[4096]);
    }

    private async Task SendHttp2Async(SentRequest request)
    {
        using var message = new HttpRequestMessage(new HttpMethod(request.Method), new Uri(servers[1], request.Path + request.Query)) { Version = HttpVersion.Version20, VersionPolicy = HttpVersionPolicy.RequestVersionExact };
        message.Headers.Add("traceparent", ParentOf(request));
        message.Headers.Add("X-Tenant", request.Tenant);
        using HttpResponseMessage answer = await _http2.SendAsync(message);
    }
}
