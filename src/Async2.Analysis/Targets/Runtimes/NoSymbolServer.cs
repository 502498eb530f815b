using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>
/// Answers "not found" to ClrMD's wish to look a binary up: this tool never asks a server for a file that a dump names, and
/// never loads native code that it did not choose itself (see <see cref="DacLocator"/>).
/// </summary>
internal sealed class NoSymbolServer : IFileLocator
{
    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties) => null;

    public string? FindPEImage(
        string fileName, SymbolProperties archivedUnder, ImmutableArray<byte> buildIdOrUUID, OSPlatform originalPlatform, bool checkProperties)
        => null;
}
