namespace Microsoft.Diagnostics.DebugServices;

/// <summary>The error whose message every host prints as one line before it goes on.</summary>
public class DiagnosticsException : Exception
{
    public DiagnosticsException(string message, Exception innerException) => throw null;
}
