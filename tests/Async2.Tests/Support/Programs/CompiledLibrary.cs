using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>A library of native code, made for one test.</summary>
internal static class CompiledLibrary
{
    /// <summary>A data access library that is the real one of this runtime, with something added.</summary>
    /// <param name="folder">Where the library is kept.</param>
    /// <param name="name">Its name, without an ending.</param>
    /// <param name="source">The code that is added.</param>
    /// <param name="before">Statements that run before an instance is made of <c>target</c>.</param>
    /// <returns>Its path.</returns>
    public static string MakeDac(TemporaryFolder folder, string name, string source, string before = "") => Make(folder, name, $$"""
        #include <dlfcn.h>
        {{source}}
        typedef int (*Create)(const void *, void *, void **);
        int CLRDataCreateInstance(const void *id, void *target, void **instance)
        {
            void *real = dlopen("{{Path.Join(Path.GetDirectoryName(typeof(object).Assembly.Location), "libmscordaccore.so")}}", RTLD_NOW);
            ((int (*)(void *, int, void *))dlsym(real, "DllMain"))(real, 1, 0);
            {{before}}
            return ((Create)dlsym(real, "CLRDataCreateInstance"))(id, target, instance);
        }
        """);

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
