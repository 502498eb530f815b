using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Async2.Tests.Support;
using Async2.Tests.Support.Programs;

namespace Async2.Tests.Shapes;

/// <summary>A program of awkward statements, each of them once in a thread that blocks and once in an async method.</summary>
internal sealed partial class ShapeProgram(string folder)
{
    private const string Project = """
        <Project Sdk="Microsoft.NET.Sdk">
          <Import Project="{0}/dumps/Scenarios.props" />
          <PropertyGroup>
            <AssemblyName>Shapes</AssemblyName>
            <Features>$(Features);{1}</Features>
            <Nullable>enable</Nullable>
            <ImplicitUsings>enable</ImplicitUsings>
            <NuGetAudit>false</NuGetAudit>
            <NoWarn>$(NoWarn);CS0162;CS0164;CS0219;CS0168;CS8321;CS1998</NoWarn>
          </PropertyGroup>
        </Project>
        """;

    public ScenarioBuild BuildOf(string configuration) => new(Path.Join(folder, "bin", configuration, "net10.0", "Shapes.dll"));

    /// <summary>Writes and builds it, with runtime-async or with state machines.</summary>
    public static ShapeProgram Make(string folder, bool isRuntimeAsync)
    {
        var program = new ShapeProgram(folder);
        Directory.CreateDirectory(folder);
        string project = Project.Replace("{0}", Repository.Root, StringComparison.Ordinal)
            .Replace("{1}", isRuntimeAsync ? "runtime-async=on" : "", StringComparison.Ordinal);
        File.WriteAllText(Path.Join(folder, "Shapes.csproj"), project);
        File.Copy(Source("Stop"), Path.Join(folder, "Stop.cs"), overwrite: true);
        File.WriteAllText(Path.Join(folder, "Shapes.cs"), Write(File.ReadAllText(Source("Shapes"))));
        program.Build("Release");
        program.Build("Debug");
        return program;
    }

    private static string Source(string name) => Repository.PathOf("tests", "Async2.Tests", "Shapes", name + ".source.txt");

    private static string Write(string shapes)
    {
        var methods = new StringBuilder();
        var lists = new Dictionary<bool, StringBuilder> { [false] = new(), [true] = new() };
        foreach (Match shape in Shape().Matches(shapes))
        {
            string name = shape.Groups["name"].Value, body = shape.Groups["body"].Value;
            int stops = Place().Matches(body).Select(m => int.Parse(m.Groups["number"].Value, CultureInfo.InvariantCulture)).Max();
            foreach (bool isAsync in shape.Groups["sync"].Success ? (bool[])[false] : [false, true])
            {
                string own = isAsync ? name + "Async" : name;
                methods.AppendLine(CultureInfo.InvariantCulture, $"    public static {(isAsync ? "async Task<int>" : "int")} {own}(int x)").AppendLine("    {");
                methods.AppendLine(Place().Replace(body.TrimEnd(), m => Call(m, isAsync))).AppendLine("    }").AppendLine();
                lists[isAsync].AppendLine(CultureInfo.InvariantCulture, $"        new(\"{own}\", {stops}, Shapes.{own}),");
            }
        }
        return $"""
            using System.Runtime.CompilerServices;
            namespace Shapes;

            {"public sealed class Shapes : Parts\n{"}
            {methods}
            {"}\n\npublic static class All\n{"}
                public static readonly Sync[] Sync = [
            {lists[false]}    ];

                public static readonly Async[] Async = [
            {lists[true]}    ];
            {"}"}
            """;
    }

    private static string Call(Match place, bool isAsync)
    {
        string arguments = place.Groups["number"].Value + place.Groups["up"].Value;
        return place.Groups["kind"].Value == "P" ? $"poll(0, 0, Stop.Time({arguments}))" : isAsync ? $"await Stop.CallAsync({arguments})" : $"Stop.Call({arguments})";
    }

    private void Build(string configuration)
    {
        var start = new ProcessStartInfo("dotnet", ["build", folder, "-c", configuration, "-v", "q", "-nologo"]) { RedirectStandardOutput = true };
        // Set by the test host's own build, they would lead this one astray.
        foreach (string name in start.Environment.Keys.Where(k => k.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
            start.Environment.Remove(name);
        using Process build = Process.Start(start)!;
        string said = build.StandardOutput.ReadToEnd();
        build.WaitForExit();
        Assert.True(build.ExitCode == 0, $"{folder} does not build: {said}");
    }

    [GeneratedRegex(@"^# (?<name>\w+)(?<sync> sync)?\n(?<body>[^#]+)", RegexOptions.Multiline)]
    private static partial Regex Shape();

    [GeneratedRegex(@"\b(?<kind>W|P)\((?<number>\d+)(?<up>, up: \d+)?\)")]
    private static partial Regex Place();
}
