using System.Diagnostics;
using System.Globalization;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.RandomPrograms;

/// <summary>A generated scenario program in a folder of its own, with the support code of dumps/Scenarios.</summary>
internal sealed class RandomProgram(string folder)
{
    public const int ScenariosPerProgram = 10;

    private const string Project = """
        <Project Sdk="Microsoft.NET.Sdk">
          <Import Project="{0}/dumps/Scenarios.props" />
          <PropertyGroup>
            <AssemblyName>Scenarios</AssemblyName>
            <Features>$(Features);runtime-async=on</Features>
            <Nullable>enable</Nullable>
            <ImplicitUsings>enable</ImplicitUsings>
            <NuGetAudit>false</NuGetAudit>
            <NoWarn>$(NoWarn);CS0162;CS0164;CS0219;CS0183;CS8321</NoWarn>
          </PropertyGroup>
          <ItemGroup>
            <Compile Include="{0}/dumps/Scenarios/Support/*.cs" />
          </ItemGroup>
        </Project>
        """;

    public ScenarioBuild BuildOf(string configuration) => new(Path.Join(folder, "bin", configuration, "net10.0", "Scenarios.dll"));

    /// <summary>Writes and builds the program of a seed.</summary>
    public static RandomProgram Make(int seed, string folder)
    {
        var program = new RandomProgram(folder);
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Join(folder, "Random.csproj"), Project.Replace("{0}", Repository.Root, StringComparison.Ordinal));
        File.Copy(Repository.PathOf("tests", "Async2.Tests", "RandomPrograms", "Plan.source.txt"), Path.Join(folder, "Plan.cs"), overwrite: true);
        var dice = new Dice(seed);
        var sites = new SiteNumbers();
        for (int i = 0; i < ScenariosPerProgram; i++)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"R{i}");
            File.WriteAllText(Path.Join(folder, name + ".cs"), new ScenarioSource(dice, sites, name).Write());
        }
        program.Build("Release");
        program.Build("Debug");
        return program;
    }

    private void Build(string configuration)
    {
        if (File.Exists(BuildOf(configuration).Assembly) && Environment.GetEnvironmentVariable("ASYNC2_RANDOM_FOLDER") is not null)
            return;
        var start = new ProcessStartInfo("dotnet", ["build", folder, "-c", configuration, "-v", "q", "-nologo"]) { RedirectStandardOutput = true };
        // Set by the test host's own build, they would lead this one astray.
        foreach (string name in start.Environment.Keys.Where(k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(name);
        using Process build = Process.Start(start)!;
        string said = build.StandardOutput.ReadToEnd();
        build.WaitForExit();
        Assert.True(build.ExitCode == 0, $"{folder} does not build: {said}");
    }
}
