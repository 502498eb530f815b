using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>A library of native code, made for one test.</summary>
internal static class CompiledLibrary
{
    /// <summary>Compiles C; skips the test where there is no compiler.</summary>
    /// <param name="folder">Where the library is kept.</param>
    /// <param name="name">Its name, without an ending.</param>
    /// <param name="source">The code.</param>
    /// <returns>Its path.</returns>
    public static string Make(TemporaryFolder folder, string name, string source)
    {
        Assert.SkipUnless(File.Exists("/usr/bin/gcc"), "gcc is not installed");
        string code = folder.PathOf(name + ".c"), library = folder.PathOf(name + ".so");
        File.WriteAllText(code, source);
        using Process compiler = Process.Start("gcc", ["-shared", "-fPIC", "-o", library, code]);
        compiler.WaitForExit();
        Assert.Equal(0, compiler.ExitCode);
        return library;
    }
}
