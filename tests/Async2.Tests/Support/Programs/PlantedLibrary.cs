namespace Async2.Tests.Support.Programs;

/// <summary>A library that leaves a file behind as soon as anybody loads it: what an attacker would have the tool load.</summary>
internal sealed class PlantedLibrary : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public PlantedLibrary()
    {
        File = CompiledLibrary.Make(_folder, "planted", $$"""
            #include <stdio.h>
            __attribute__((constructor)) static void loaded(void) { FILE *mark = fopen("{{Mark}}", "w"); if (mark) fclose(mark); }
            """);
        _folder.OpenToEverybody();
    }

    public string File { get; }

    public bool WasLoaded => System.IO.File.Exists(Mark);

    private string Mark => _folder.PathOf("loaded");

    public void Dispose() => _folder.Dispose();
}
