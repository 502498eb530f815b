using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Pe;
using Async2.Analysis.Targets.Processes;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets.Runtimes;

/// <summary>Which build of the runtime a target runs, as its memory says.</summary>
internal sealed class RuntimeBuild
{
    private readonly ClrInfo _clr;

    /// <param name="clr">As it was found.</param>
    /// <param name="view">A live process; null for a dump.</param>
    public RuntimeBuild(ClrInfo clr, ProcessView? view)
    {
        _clr = clr;
        Path = clr.ModuleInfo.FileName;
        IsReplaced = view is not null && OperatingSystem.IsLinux() && ProcFiles.HasLost(view.Pid, Path);
    }

    /// <summary>Where the target says its runtime is: its own library, or the program when that has it inside.</summary>
    public string Path { get; }

    /// <summary>That path is on a disk of this machine.</summary>
    public bool IsLocal => TargetPath.IsLocal(Path);

    /// <summary>The file of that path is not the one that the target has loaded.</summary>
    public bool IsReplaced { get; }

    /// <summary>The memory that tells the build can be read.</summary>
    public bool IsKnown => IsOfWindows ? DacStamp is not null || _clr.ModuleInfo.IndexFileSize > 0 : IsInProgram ? !DacId.IsEmpty : !_clr.BuildId.IsDefaultOrEmpty;

    /// <summary>The runtime is in the program's own file.</summary>
    public bool IsInProgram => _clr.IsSingleFile;

    private bool IsOfWindows => _clr.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows;

    // On Windows a runtime says in its resources which DAC was made with it.
    private (uint Stamp, uint Size)? DacStamp
    {
        get
        {
            foreach (DebugLibraryInfo library in _clr.DebuggingLibraries)
            {
                // Others are the names under which servers keep it: those of the runtime that it belongs to.
                if (library is { Kind: DebugLibraryKind.Dac, ArchivedUnder: SymbolProperties.Self, IndexFileSize: > 0 })
                    return ((uint)library.IndexTimeStamp, (uint)library.IndexFileSize);
            }
            return null;
        }
    }

    // A program that has the runtime inside names the DAC that it was linked with; it is the only thing that has a file of its own.
    private ReadOnlySpan<byte> DacId
    {
        get
        {
            foreach (DebugLibraryInfo library in _clr.DebuggingLibraries)
            {
                if (library.Kind == DebugLibraryKind.Dac && !library.IndexBuildId.IsDefaultOrEmpty)
                    return library.IndexBuildId.AsSpan();
            }
            return default;
        }
    }

    /// <summary>Whether a DAC is of this build.</summary>
    /// <param name="files">Whose folder it is in.</param>
    /// <param name="folder">The folder, in which the runtime's library may be, too.</param>
    /// <param name="dac">The DAC.</param>
    public bool IsOf(TargetFiles files, string folder, CodeFile dac)
    {
        if (IsOfWindows && DacStamp is { } stamp)
            return dac.Header is { } header && (header.Stamp, header.Size) == stamp;
        if (IsInProgram && IsKnown)
            return dac.BuildId is { } own && DacId.SequenceEqual(own);
        return MayBeOf(files, folder);
    }

    /// <summary>Whether the runtime's library in a folder is of this build.</summary>
    public bool MayBeOf(TargetFiles files, string folder)
    {
        using SafeFileHandle? library = files.Open(System.IO.Path.Combine(folder, IsOfWindows ? "coreclr.dll" : "libcoreclr.so"));
        if (IsOfWindows)
            return library is not null && PeFile.HeaderOf(library) is { } header && (header.Stamp, header.Size) == ((uint)_clr.ModuleInfo.IndexTimeStamp, (uint)_clr.ModuleInfo.IndexFileSize);
        return !_clr.BuildId.IsDefaultOrEmpty && library is not null && ElfBuildId.Read(library) is { } id && id.AsSpan().SequenceEqual(_clr.BuildId.AsSpan());
    }
}
