namespace Async2.Analysis.Model;

/// <summary>Who opened a connection.</summary>
public enum SocketSide
{
    /// <summary>Memory does not tell.</summary>
    Unknown,

    /// <summary>The program did: the other end serves it.</summary>
    Connected,

    /// <summary>The other end did: it is a client.</summary>
    Accepted,
}
