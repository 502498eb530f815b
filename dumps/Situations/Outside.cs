using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Situations;

/// <summary>
/// Waits for what is outside of the process: a server that does not answer, one on a port as clients have, and another process. A server that waits for
/// its clients does not depend on them.
/// </summary>
public static class Outside
{
    // Below the ports that clients get.
    private const int FirstPort = 20_000;

    public static void Start(int count)
    {
        TcpListener server = Listen(), any = new(IPAddress.Loopback, 0);
        any.Start();
        Marks.Here("port", PortOf(server));
        Marks.Here("any port", PortOf(any));
        for (int i = 0; i < 3; i++)
            Marks.Keep(Ask(server));
        for (int i = 0; i < 2; i++)
            Marks.Keep(AskAsync(Ask(any)));
        Marks.Keep(ServeAsync(server));
        var process = Process.Start(new ProcessStartInfo("sleep", "600"))!;
        Marks.Here("process", process.Id);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => process.Kill();
        Marks.Keep(WaitAsync(process));
        Thread.Sleep(500);
    }

    // Asks a server; returns the server's end.
    private static TcpClient Ask(TcpListener server)
    {
        var client = new TcpClient();
        client.Connect((IPEndPoint)server.LocalEndpoint);
        Marks.Keep(client);
        Marks.Keep(AskAsync(client));
        return server.AcceptTcpClient();
    }

    private static int PortOf(TcpListener server) => ((IPEndPoint)server.LocalEndpoint).Port;

    private static TcpListener Listen()
    {
        for (int port = FirstPort + (Environment.ProcessId % 10_000); ; port++)
        {
            var server = new TcpListener(IPAddress.Loopback, port);
            try
            {
                server.Start();
                return server;
            }
            catch (SocketException)
            {
                // Somebody else has it.
            }
        }
    }

    private static async Task AskAsync(TcpClient client)
    {
        byte[] answer = new byte[4];
        int read = await client.GetStream().ReadAsync(answer.AsMemory());
        Marks.Keep(read);
    }

    private static async Task ServeAsync(TcpListener server)
    {
        TcpClient guest = await server.AcceptTcpClientAsync();
        Marks.Keep(guest);
    }

    private static async Task WaitAsync(Process process)
    {
        await process.WaitForExitAsync().At("ends");
        Marks.Keep(process);
    }
}
