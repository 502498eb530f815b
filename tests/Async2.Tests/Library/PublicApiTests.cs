using System.Reflection;
using Async2.Analysis;
using Async2.Dump;
using Async2.Tests.Support;

namespace Async2.Tests.Library;

/// <summary>What others build against changes only when somebody means it: <c>npm run accept</c> approves it.</summary>
public sealed class PublicApiTests
{
    [Fact]
    public void The_public_surface_is_approved() => Approved.Check("Library/Approved", "public-api.txt", PublicApi.Of(typeof(Analyzer).Assembly));

    [Fact]
    public void Only_tests_see_internals() => Assert.Equal(
        ["Async2.Tests"],
        typeof(Analyzer).Assembly.GetCustomAttributes<System.Runtime.CompilerServices.InternalsVisibleToAttribute>().Select(friend => friend.AssemblyName));

    [Fact]
    public void Hosts_have_no_public_surface() => Assert.Empty(typeof(ToolMain).Assembly.GetExportedTypes());

    [Fact]
    public void Members_are_listed_as_in_source()
    {
        string told = PublicApi.Of([typeof(Shape), typeof(Way), typeof(Point)]);
        Assert.StartsWith("sealed class Async2.Tests.Library.PublicApiTests.Point\n    Int32 X { get; init; }\n    new(Int32 X)\n    required String Name { get; init; }\n", told, StringComparison.Ordinal);
        Assert.Contains("    abstract Double Area { get; }\n", told, StringComparison.Ordinal);
        Assert.Contains("    static String? Describe(PublicApiTests.Shape? shape, Int32 digits = 2)\n", told, StringComparison.Ordinal);
        Assert.Contains("    required String Name { get; init; }\n", told, StringComparison.Ordinal);
        Assert.Contains("    There = 0\n", told, StringComparison.Ordinal);
        Assert.DoesNotContain("Hidden", told, StringComparison.Ordinal);
        Assert.DoesNotContain("PrintMembers", told, StringComparison.Ordinal);
    }

    public abstract class Shape
    {
        public abstract double Area { get; }

        internal int Hidden { get; }

        public static string? Describe(Shape? shape, int digits = 2) => shape?.Area.ToString($"F{digits}");
    }

    public enum Way
    {
        There,
        Back,
    }

    public sealed record Point(int X)
    {
        public required string Name { get; init; }
    }
}
