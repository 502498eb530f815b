using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>A library that leaves a file behind as soon as anybody loads it: what an attacker would have the tool load.</summary>
internal sealed class PlantedLibrary : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public PlantedLibrary()
    {
        Assert.SkipUnless(System.IO.File.Exists("/usr/bin/gcc"), "gcc is not installed");
        string source = _folder.PathOf("planted.c");
        System.IO.File.WriteAllText(source, $$"""
            #include <stdio.h>
            __attribute__((constructor)) static void loaded(void) { FILE *mark = fopen("{{Mark}}", "w"); if (mark) fclose(mark); }
            """);
        using Process compiler = Process.Start("gcc", ["-shared", "-fPIC", "-o", File, source]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
        _folder.OpenToEverybody();
    }

    public string File => _folder.PathOf("planted.so");

    public bool WasLoaded => System.IO.File.Exists(Mark);

    private string Mark => _folder.PathOf("loaded");

    public void Dispose() => _folder.Dispose();
}
