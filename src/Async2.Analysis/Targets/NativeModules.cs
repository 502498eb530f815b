using System.Runtime.InteropServices;
using Async2.Analysis.Targets.Elf;
using Async2.Analysis.Targets.Files;
using Async2.Analysis.Targets.Libraries;
using Async2.Analysis.Targets.Pe;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Win32.SafeHandles;

namespace Async2.Analysis.Targets;

/// <summary>The native libraries of a target.</summary>
internal static class NativeModules
{
    /// <summary>Opens one after the other; each is closed when the next one is requested.</summary>
    /// <param name="target">The target.</param>
    /// <param name="unknown">Receives the names of libraries for which neither memory nor a file of the same build exists.</param>
    public static IEnumerable<NativeModule> Of(Target target, Action<string>? unknown = null)
    {
        bool isWindows = target.Runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows;
        foreach (ModuleInfo module in target.Runtime.DataTarget.EnumerateModules())
        {
            if ((!isWindows && IsManaged(module.FileName)) || IsNoFile(module.FileName))
                continue;
            using NativeModule? native = NativeModule.Open(target.Memory, NameOf(module), module.ImageBase, () => FileOf(module, target));
            if (native is not null)
                yield return native;
            else if (unknown is not null && !target.Memory.TryReadUInt32(module.ImageBase, out _))
                unknown(NameOf(module));
        }
    }

    /// <summary>
    /// Opens the one that begins at an address, also one that is in no list of modules: the kernel's own, and the one that loads the others, which ClrMD leaves out of
    /// the list of a dump. Null if it is not a library. To be disposed.
    /// </summary>
    public static NativeModule? At(Target target, ulong imageBase)
    {
        ModuleInfo? known = target.Runtime.DataTarget.EnumerateModules().FirstOrDefault(module => module.ImageBase == imageBase);
        // Of one that is in no list, a dump has the beginning, or nothing says that it is one.
        if (known is null && !target.Memory.TryReadUInt32(imageBase, out _))
            return null;
        return NativeModule.Open(target.Memory, known is null ? "" : NameOf(known), imageBase, () => (known ?? LoaderAt(target, imageBase)) is { } module ? FileOf(module, target) : null);
    }

    private static ModuleInfo? LoaderAt(Target target, ulong imageBase)
        => target.Runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Linux && Of(target).OfType<ElfModule>().Select(module => module.Loader).FirstOrDefault(path => path is not null) is { } path
            ? ModuleInfo.TryCreate(target.Runtime.DataTarget.DataReader, imageBase, path) : null;

    private static string NameOf(ModuleInfo module) => TargetPath.FileName(module.FileName) ?? "a module without a name";

    // On Linux a process has many of them mapped, and none exports anything. On Windows the name does not tell.
    private static bool IsManaged(string path) => path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);

    // The runtime's code heaps, the kernel's own pages: they are not accessible in an ended process.
    private static bool IsNoFile(string path) => path.StartsWith("/memfd:", StringComparison.Ordinal) || path.StartsWith("/dev/", StringComparison.Ordinal) || path.StartsWith('[');

    // Only exactly the same build has the same content; no pipes, and no files on another server.
    private static ILibraryFile? FileOf(ModuleInfo module, Target target)
    {
        if (TargetPath.FileName(module.FileName) is not { } name)
            return null;
        IEnumerable<Func<SafeFileHandle?>> places = target.Options.SymbolDirectories.Select(folder => (Func<SafeFileHandle?>)(() => RegularFile.Open(Path.Join(folder, name))));
        foreach (Func<SafeFileHandle?> open in places.Append(() => TargetPath.IsLocal(module.FileName) ? target.Origin.Files.Open(module.FileName) : null))
        {
            SafeFileHandle? file = open();
            if (file is not null && IsOf(file, module))
                return module.BuildId.IsDefaultOrEmpty ? PeFile.Open(file) : ElfFile.Open(file);
            file?.Dispose();
        }
        return null;
    }

    private static bool IsOf(SafeFileHandle file, ModuleInfo module) => module.BuildId.IsDefaultOrEmpty
        ? module.IndexFileSize > 0 && PeFile.HeaderOf(file) is { } header && (header.Stamp, header.Size) == ((uint)module.IndexTimeStamp, (uint)module.IndexFileSize)
        : ElfBuildId.Read(file) is { } own && own.AsSpan().SequenceEqual(module.BuildId.AsSpan());
}
