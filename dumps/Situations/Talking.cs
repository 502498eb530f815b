using System.Net;
using System.Net.Sockets;

namespace Situations;

/// <summary>A client and its server in one program, over a connection of TCP.</summary>
public static class Talking
{
    /// <summary>The server takes one of two requests that come at once, and waits for the next; the client waits for the second answer.</summary>
    public static void StartSilent(int count) => Start(TimeSpan.Zero);

    /// <summary>The server is at work for the answer.</summary>
    public static void StartSlow(int count) => Start(Timeout.InfiniteTimeSpan);

    private static void Start(TimeSpan work)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Marks.Keep(AcceptAsync(listener, work));
        Marks.Keep(AskAsync(((IPEndPoint)listener.LocalEndpoint).Port));
        Thread.Sleep(500);
    }

    private static async Task AcceptAsync(TcpListener listener, TimeSpan work)
    {
        TcpClient client = await listener.AcceptTcpClientAsync();
        await AnswerAsync(client.GetStream(), work);
    }

    private static async Task AnswerAsync(NetworkStream stream, TimeSpan work)
    {
        byte[] request = new byte[2];
        while (await stream.ReadAsync(request.AsMemory()).At("request") > 0)
        {
            await Task.Delay(work).At("work");
            await stream.WriteAsync(request.AsMemory(0, 1));
        }
    }

    private static async Task AskAsync(int port)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port);
        NetworkStream stream = client.GetStream();
        await stream.WriteAsync("ab"u8.ToArray().AsMemory());
        byte[] answer = new byte[1];
        for (int i = 0; i < 2; i++)
            await stream.ReadAsync(answer.AsMemory()).At("answer");
    }
}
