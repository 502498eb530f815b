using Async2.Tests.Support;

namespace Async2.Tests.House;

public sealed class LayeringTests
{
    [Fact]
    public void References_go_one_way() => Rule.Holds(Layers.Violations(Compiled.Library()));

    [Fact]
    public void The_check_sees_the_library()
    {
        IReadOnlyList<TypeUse> uses = Compiled.Library();
        Assert.Contains(uses, use => use is { FromNamespace: "Async2.Analysis.Rendering", To: "Async2.Analysis.Query.StackView" });
        Assert.True(uses.Count > 1000, $"{uses.Count} uses");
    }

    [Theory]
    [InlineData("class A { Async2.Analysis.Rendering.B field; }")]
    [InlineData("class A { object M() => new Async2.Analysis.Rendering.B(); }")]
    [InlineData("class A { object M() => Async2.Analysis.Rendering.B.Make(); }")]
    [InlineData("class A { void M(System.Collections.Generic.List<Async2.Analysis.Rendering.B[]> list) { } }")]
    [InlineData("class A { void M() { System.Action a = () => System.Console.Write(typeof(Async2.Analysis.Rendering.B)); } }")]
    [InlineData("class A : Async2.Analysis.Rendering.B { }")]
    [InlineData("class A { void M() { System.Linq.Enumerable.Empty<Async2.Analysis.Rendering.B>(); } }")]
    [InlineData("class A { void M() => Async2.Analysis.Analyzer.Run(); }")]
    public void The_check_finds_a_reference_downstream(string code)
        => Assert.NotEmpty(Layers.Violations(Compiled.Uses(Others + $"namespace Async2.Analysis.Stacks {{ {code} }}")));

    [Theory]
    [InlineData("Rendering", "class A { object M() => new Async2.Analysis.Stacks.S(); }", false)]
    [InlineData("Analyses", "class A { object M() => new Async2.Analysis.Rendering.B(); }", true)]
    [InlineData("Rendering", "class A { void M(Microsoft.Diagnostics.Runtime.ClrObject o) { } }", true)]
    [InlineData("Graph", "class A { ulong M(object o) => ((Microsoft.Diagnostics.Runtime.ClrType)o).MethodTable; }", true)]
    [InlineData("Heap", "class A { void M(Microsoft.Diagnostics.Runtime.ClrObject o) { } }", false)]
    [InlineData("Nodes.Deep", "class A { object M() => new Async2.Analysis.Stacks.S(); }", true)]
    [InlineData("Waits", "class A { object M() => new Async2.Analysis.Formatting.W(); }", true)]
    [InlineData("Query", "class A { object M() => new Async2.Analysis.Formatting.W(); }", false)]
    [InlineData("Formatting", "class A { object M() => new Async2.Analysis.Stacks.S(); }", true)]
    [InlineData("Elsewhere", "class A { object M() => new Async2.Analysis.Stacks.S(); }", true)]
    public void Each_layer_may_use_only_its_dependencies(string layer, string code, bool wrong)
        => Assert.Equal(wrong, Layers.Violations(Compiled.Uses(Others + $"namespace Async2.Analysis.{layer} {{ {code} }}")).Count > 0);

    [Theory]
    [InlineData("src/Async2.Analysis", "Async2.Analysis")]
    [InlineData("src/Async2.Dump", "Async2.Dump")]
    [InlineData("src/Sos.Plugin", "Async2.Sos")]
    [InlineData("tests/Async2.Tests", "Async2.Tests")]
    public void Namespaces_are_folders(string project, string root)
    {
        // The contracts of hosts have the hosts' namespace.
        foreach (string path in Repository.CSharpFiles(project).Where(path => !path.Contains("HostContracts", StringComparison.Ordinal)))
        {
            string folder = Path.GetDirectoryName(Path.GetRelativePath(Repository.PathOf(project), path))!;
            string expected = folder.Length == 0 ? root : $"{root}.{folder.Replace(Path.DirectorySeparatorChar, '.')}";
            string? declared = File.ReadLines(path).FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal));
            if (Path.GetFileName(path) != "Program.cs")
                Assert.True(declared == $"namespace {expected};", $"{path}: {declared}, not {expected}");
        }
    }

    private const string Others = """
        namespace Async2.Analysis { public static class Analyzer { public static void Run() { } } }
        namespace Async2.Analysis.Rendering { public class B { public static B Make() => null; } }
        namespace Async2.Analysis.Stacks { public class S { } }
        namespace Async2.Analysis.Formatting { public class W { } }

        """;
}
