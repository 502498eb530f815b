using System.Diagnostics;

namespace Async2.Tests.Support.Programs;

/// <summary>A program published as one file with the runtime inside. It has one stack, an await of something that never happens.</summary>
public sealed class SingleFileProgram : IDisposable
{
    private const string Project = """
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework>
            <RuntimeIdentifier>linux-x64</RuntimeIdentifier>
            <SelfContained>true</SelfContained>
            <PublishSingleFile>true</PublishSingleFile>
            <InvariantGlobalization>true</InvariantGlobalization>
          </PropertyGroup>
        </Project>
        """;

    private const string Source = """
        _ = Waits.OuterAsync();
        System.Console.WriteLine("{\"stacks\":[]}");
        System.Console.WriteLine("ready " + System.Environment.ProcessId);
        System.Console.In.ReadLine();

        static class Waits
        {
            static readonly System.Threading.Tasks.TaskCompletionSource Never = new();

            public static async System.Threading.Tasks.Task OuterAsync() => await InnerAsync();

            static async System.Threading.Tasks.Task InnerAsync() => await Never.Task;
        }
        """;

    private readonly TemporaryFolder _folder = new();

    public SingleFileProgram()
    {
        File.WriteAllText(_folder.PathOf("Single.csproj"), Project);
        File.WriteAllText(_folder.PathOf("Program.cs"), Source);
        var start = new ProcessStartInfo("dotnet", ["publish", _folder.PathOf("Single.csproj"), "-c", "Release", "-v", "quiet", "-nodeReuse:false", "-o", _folder.PathOf("out")]) { RedirectStandardOutput = true };
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        using Process publish = Process.Start(start)!;
        string output = publish.StandardOutput.ReadToEnd();
        publish.WaitForExit();
        Assert.True(publish.ExitCode == 0, output);
    }

    internal ScenarioBuild Build => new(Path.Join(_folder.PathOf("out"), "Single")) { Host = [] };

    public void Dispose() => _folder.Dispose();
}
