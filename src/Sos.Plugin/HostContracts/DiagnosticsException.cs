namespace Microsoft.Diagnostics.DebugServices;

/// <summary>The exception whose message every host prints as one line.</summary>
public class DiagnosticsException : Exception
{
    public DiagnosticsException(string message, Exception innerException) => throw null;
}
