using System.IO.Pipes;
using System.Text;

namespace Async2.Testing;

/// <summary>How a test host tells its controller which tests begin and end: a line each, over a pipe.</summary>
internal static class TestFeed
{
    /// <summary>Environment variables of the test host: the pipe's name, and the process id of the controller.</summary>
    public const string PipeVariable = "ASYNC2_TEST_FEED", ControllerVariable = "ASYNC2_TEST_CONTROLLER";

    // As much as a socket holds, which a pipe of .NET is on Linux.
    private const int BufferSize = 1 << 18;

    // Nobody is in a hurry: to be woken for each line would cost short tests more than to write it.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>A line for a test that begins.</summary>
    public static string Begin(string id, string name) => $"+{Uri.EscapeDataString(id)} {Uri.EscapeDataString(name)}";

    /// <summary>A line for a test that ends.</summary>
    public static string End(string id) => $"-{Uri.EscapeDataString(id)}";

    /// <summary>Hands a line to a watch; one that is none is nothing.</summary>
    public static void Take(string line, TestWatch watch)
    {
        string[] words = line.Length < 2 ? [] : line[1..].Split(' ');
        if (line.StartsWith('+') && words.Length == 2)
            watch.Begin(Uri.UnescapeDataString(words[0]), Uri.UnescapeDataString(words[1]));
        else if (line.StartsWith('-') && words.Length == 1)
            watch.End(Uri.UnescapeDataString(words[0]));
    }

    /// <summary>Reads lines until the host ends; on a thread of its own.</summary>
    public static void Read(NamedPipeServerStream pipe, TestWatch watch)
    {
        try
        {
            pipe.WaitForConnection();
            byte[] buffer = new byte[BufferSize];
            var rest = new StringBuilder();
            Decoder decoder = Encoding.UTF8.GetDecoder();
            char[] text = new char[BufferSize];
            for (int read; (read = pipe.Read(buffer, 0, buffer.Length)) > 0; Thread.Sleep(Pause))
            {
                rest.Append(text, 0, decoder.GetChars(buffer, 0, read, text, 0));
                string[] lines = rest.ToString().Split('\n');
                for (int i = 0; i < lines.Length - 1; i++)
                    Take(lines[i].TrimEnd('\r'), watch);
                rest.Clear().Append(lines[lines.Length - 1]);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // The host has ended.
        }
    }
}
