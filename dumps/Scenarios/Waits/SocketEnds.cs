// The user must see which socket operation is waited for, and both ends of the connection.
using System.Net;
using System.Net.Sockets;
using Scenarios.Support;

namespace Scenarios.Waits;

[Scenario("Socket: accept, receive, a NetworkStream, a stream read through a framework method, a datagram")]
public static class SocketEnds
{
    public static Task Run(Trail t) => Task.WhenAll(
        AcceptAsync(t.Fork("accept"), Listen()),
        ReceiveAsync(t.Fork("receive"), Connect()),
        ReadAsync(t.Fork("stream"), Connect()),
        ReadExactlyAsync(t.Fork("read exactly"), Connect()),
        DatagramAsync(t.Fork("datagram"), new Socket(AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp)));

    private static Socket Listen()
    {
        var door = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        door.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        door.Listen();
        return door;
    }

    private static (Socket Till, Socket Bank) Connect()
    {
        using Socket door = Listen();
        var till = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        till.Connect(door.LocalEndPoint!);
        return (till, door.Accept());
    }

    private static async Task<int> AcceptAsync(Trail t, Socket door)
    {
        GC.KeepAlive(door.LocalEndPoint);
        t.Rest("Socket.AcceptAsync", () => Visit(door), "Socket accept, on 127.0.0.1:{number}");
        t.At(); using Socket customer = await door.AcceptAsync();
        door.Dispose();
        return customer.Available;
    }

    private static void Visit(Socket door)
    {
        using var customer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        customer.Connect(door.LocalEndPoint!);
    }

    private static async Task<int> ReceiveAsync(Trail t, (Socket Till, Socket Bank) line)
    {
        GC.KeepAlive(line.Till.LocalEndPoint);
        t.Rest("Socket.ReceiveAsync", () => line.Bank.Send([1]), "Socket receive, 127.0.0.1:{number} <- 127.0.0.1:{number}");
        t.At(); int count = await line.Till.ReceiveAsync(new byte[1].AsMemory());
        Close(line);
        return count;
    }

    private static async Task<int> ReadAsync(Trail t, (Socket Till, Socket Bank) line)
    {
        using var stream = new NetworkStream(line.Till);
        t.Rest("NetworkStream.ReadAsync", () => line.Bank.Send([1]), "Socket receive, from 127.0.0.1:{number}");
        t.At(); int count = await stream.ReadAsync(new byte[1].AsMemory());
        Close(line);
        return count;
    }

    private static async Task<int> ReadExactlyAsync(Trail t, (Socket Till, Socket Bank) line)
    {
        using var stream = new NetworkStream(line.Bank);
        byte[] coins = new byte[2];
        t.Rest("Stream.ReadExactlyAsync", () => line.Till.Send([1, 2]), "Socket receive, 127.0.0.1:{number} <- 127.0.0.1:{number}");
        t.At(); await stream.ReadExactlyAsync(coins);
        Close(line);
        return coins[1];
    }

    private static async Task<int> DatagramAsync(Trail t, Socket radio)
    {
        radio.Bind(new IPEndPoint(IPAddress.IPv6Loopback, 0));
        var own = (IPEndPoint)radio.LocalEndPoint!;
        t.Rest("Socket.ReceiveFromAsync", () => radio.SendTo([1], own), "Socket receive from, on [::1]:{number}");
        t.At(); SocketReceiveFromResult said = await radio.ReceiveFromAsync(new byte[1].AsMemory(), SocketFlags.None, new IPEndPoint(IPAddress.IPv6Any, 0));
        radio.Dispose();
        return said.ReceivedBytes;
    }

    private static void Close((Socket Till, Socket Bank) line)
    {
        line.Till.Dispose();
        line.Bank.Dispose();
    }
}
