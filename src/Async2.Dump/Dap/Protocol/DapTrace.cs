using System.Globalization;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>
/// A copy of every message in a file, for developers of clients. A message names the file, so the first few are buffered
/// until then.
/// </summary>
internal sealed class DapTrace : IDisposable
{
    private const int BufferLimit = 100;

    private readonly Lock _lock = new();
    private readonly List<(string Arrow, DateTime Time, byte[] Message)> _kept = [];
    private Stream? _file;
    private bool _isDecided;

    /// <summary>Starts to write, or discards the messages.</summary>
    /// <param name="path">The file, an old trace or new; null for none.</param>
    /// <exception cref="UsageException">Another file with that name exists.</exception>
    public void Open(string? path)
    {
        lock (_lock)
        {
            if (_isDecided)
                return;
            _file = path is null ? null : TraceFile.Create(path);
            _isDecided = true;
            foreach ((string arrow, DateTime time, byte[] message) in _kept)
                Write(arrow, time, message);
            _kept.Clear();
        }
    }

    /// <summary>Records a message.</summary>
    /// <param name="arrow">Direction: from the client, or to it.</param>
    /// <param name="message">As it is sent.</param>
    public void Write(string arrow, byte[] message)
    {
        lock (_lock)
        {
            if (_isDecided)
                Write(arrow, DateTime.UtcNow, message);
            else if (_kept.Count < BufferLimit)
                _kept.Add((arrow, DateTime.UtcNow, message));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _file?.Dispose();
            _file = null;
        }
    }

    private void Write(string arrow, DateTime time, byte[] message)
    {
        if (_file is null)
            return;
        try
        {
            _file.Write(System.Text.Encoding.ASCII.GetBytes(time.ToString("HH:mm:ss.fff ", CultureInfo.InvariantCulture) + arrow + " "));
            _file.Write(message);
            _file.Write("\n"u8);
            _file.Flush();
        }
        catch (IOException)
        {
            // A full disk ends the trace, not the session.
            _file = null;
        }
    }
}
