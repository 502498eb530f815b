using System.Diagnostics;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Async2.Tests.Support.Programs;

/// <summary>The smallest .NET program: it waits for its input to close and has never heard of async.</summary>
internal sealed class IdleProgram : IDisposable
{
    // Speaks like the scenarios, so that it can be started like them.
    private const string Source = """
        System.Console.WriteLine("{\"stacks\":[]}");
        System.Console.WriteLine("ready " + System.Environment.ProcessId);
        System.Console.In.ReadLine();
        """;

    private readonly TemporaryFolder _folder = new();

    public IdleProgram()
        : this(Source)
    {
    }

    /// <param name="source">Another program that is as small.</param>
    public IdleProgram(string source)
    {
        IEnumerable<MetadataReference> references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "Idle", [CSharpSyntaxTree.ParseText(source)], references, new CSharpCompilationOptions(OutputKind.ConsoleApplication));
        Assert.True(compilation.Emit(Build.Assembly).Success);
        File.Copy(Path.Join(AppContext.BaseDirectory, "dotnet-async2.runtimeconfig.json"), _folder.PathOf("Idle.runtimeconfig.json"));
        _folder.OpenToEverybody();
    }

    public ScenarioBuild Build => new(_folder.PathOf("Idle.dll"));

    /// <summary>Starts it as a child, for tests that look at it before it is there.</summary>
    public Process StartWithoutWaiting()
        => Process.Start(new ProcessStartInfo("dotnet", [Build.Assembly]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;

    public void Dispose() => _folder.Dispose();
}
