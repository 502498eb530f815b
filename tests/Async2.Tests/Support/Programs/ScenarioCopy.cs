using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;

namespace Async2.Tests.Support.Programs;

/// <summary>
/// A copy of the scenario program in a folder of its own, to be damaged: files are replaced by others of the same name, as an
/// update does it, so that a running program keeps what it has loaded.
/// </summary>
internal sealed class ScenarioCopy : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public ScenarioCopy()
    {
        string from = Path.GetDirectoryName(ScenarioBuild.Release.Assembly)!;
        foreach (string name in (string[])["Scenarios.dll", "Scenarios.pdb", "Scenarios.runtimeconfig.json", "Scenarios.deps.json"])
            File.Copy(Path.Join(from, name), _folder.PathOf(name));
        _folder.OpenToEverybody();
        // The compiler's own output lies where the dll says; a test about missing symbols would find it.
        string compiled = CodeView().Path;
        Replace(Dll, Encoding.UTF8.GetBytes(compiled), Encoding.UTF8.GetBytes(compiled.Replace("/obj/", "/jbo/", StringComparison.Ordinal)));
    }

    public ScenarioBuild Build => new(Dll);

    public string Dll => _folder.PathOf("Scenarios.dll");

    public string Pdb => _folder.PathOf("Scenarios.pdb");

    /// <summary>A place for a dump.</summary>
    public string Dump => _folder.PathOf("scenarios.dmp");

    /// <summary>A folder with the right symbols.</summary>
    public static string Symbols => Path.GetDirectoryName(ScenarioBuild.Release.Assembly)!;

    /// <summary>The PDB becomes one of another build.</summary>
    public void ChangePdbId() => Replace(Pdb, CodeView().Guid.ToByteArray(), Changed(CodeView().Guid));

    /// <summary>Dll and PDB become those of another build that fit each other.</summary>
    public void ChangeBuild()
    {
        (Guid id, string _, Guid mvid) = CodeView();
        Replace(Pdb, id.ToByteArray(), Changed(id));
        Replace(Dll, id.ToByteArray(), Changed(id));
        Replace(Dll, mvid.ToByteArray(), Changed(mvid));
    }

    public void Dispose() => _folder.Dispose();

    private (Guid Guid, string Path, Guid Mvid) CodeView()
    {
        using var reader = new PEReader(File.OpenRead(Dll));
        DebugDirectoryEntry entry = reader.ReadDebugDirectory().First(e => e.Type == DebugDirectoryEntryType.CodeView);
        CodeViewDebugDirectoryData data = reader.ReadCodeViewDebugDirectoryData(entry);
        MetadataReader metadata = reader.GetMetadataReader();
        return (data.Guid, data.Path, metadata.GetGuid(metadata.GetModuleDefinition().Mvid));
    }

    private static byte[] Changed(Guid id)
    {
        byte[] bytes = id.ToByteArray();
        bytes[0] ^= 0xff;
        return bytes;
    }

    private static void Replace(string path, byte[] old, byte[] replacement)
    {
        byte[] content = File.ReadAllBytes(path);
        int at = content.AsSpan().IndexOf(old);
        Assert.True(at >= 0, $"not found in {path}");
        replacement.CopyTo(content.AsSpan(at));
        File.WriteAllBytes(path + ".new", content);
        File.Move(path + ".new", path, overwrite: true);
    }
}
