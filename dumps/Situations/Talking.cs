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

    /// <summary>The client sends request after request, and reads answers only then; the server answers each as it comes.</summary>
    public static void StartFull(int count)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Marks.Keep(EchoAsync(listener));
        Marks.Keep(SendAllAsync(((IPEndPoint)listener.LocalEndpoint).Port));
        Thread.Sleep(1000);
    }

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

    private static async Task EchoAsync(TcpListener listener)
    {
        NetworkStream stream = (await listener.AcceptTcpClientAsync()).GetStream();
        byte[] buffer = new byte[64 * 1024];
        for (int read; (read = await stream.ReadAsync(buffer.AsMemory())) > 0;)
            await stream.WriteAsync(buffer.AsMemory(0, read)).At("echo");
    }

    private static async Task SendAllAsync(int port)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port);
        NetworkStream stream = client.GetStream();
        byte[] request = new byte[64 * 1024];
        for (int i = 0; i < 1_000; i++)
            await stream.WriteAsync(request.AsMemory()).At("send");
        while (await stream.ReadAsync(request.AsMemory()) > 0)
        {
        }
    }
}
