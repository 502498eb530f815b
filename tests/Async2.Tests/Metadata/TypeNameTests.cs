using System.Diagnostics;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Tests.Metadata;

public class TypeNameTests
{
    [Theory]
    [InlineData("System.Int32", "int")]
    [InlineData("System.String[]", "string[]")]
    [InlineData("System.Int32[,][]", "int[][,]")]
    [InlineData("System.Byte*", "byte*")]
    [InlineData("System.Int32&", "ref int")]
    [InlineData("Shop.Orders+Line", "Shop.Orders.Line")]
    [InlineData("System.Nullable<System.Int32>", "int?")]
    [InlineData("System.ValueTuple<System.Int32, System.String>", "(int, string)")]
    [InlineData("System.Collections.Generic.Dictionary<System.String, System.Int32>", "System.Collections.Generic.Dictionary<string, int>")]
    [InlineData("System.Collections.Generic.Dictionary<System.String,System.Int32>+Entry[]", "System.Collections.Generic.Dictionary<string, int>.Entry[]")]
    [InlineData("System.Collections.Generic.List`1[[System.String, System.Private.CoreLib]]", "System.Collections.Generic.List<string>")]
    [InlineData("System.Collections.Generic.List`1[System.String]", "System.Collections.Generic.List<string>")]
    [InlineData("Outer`1+Inner[[System.String, mscorlib, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089]]", "Outer<string>.Inner")]
    [InlineData("Outer`1+Inner`1[[A, x],[System.Collections.Generic.List`1[[B, y]], x]]", "Outer<A>.Inner<System.Collections.Generic.List<B>>")]
    [InlineData("Shop.G<System.__Canon>", "Shop.G<?>")]
    [InlineData("System.__Canon", "?")]
    [InlineData("Shop.Orders+<PayAsync>d__5<System.Int32>", "Shop.Orders.<PayAsync>d__5<int>")]
    [InlineData("Shop.Orders+<>c__DisplayClass5_0", "Shop.Orders.<>c__DisplayClass5_0")]
    [InlineData("Shop.Orders+<<PayAsync>b__5_0>d", "Shop.Orders.<<PayAsync>b__5_0>d")]
    [InlineData("System.Collections.Generic.List<Shop.Orders+<>c>", "System.Collections.Generic.List<Shop.Orders.<>c>")]
    [InlineData("<>f__AnonymousType0<System.Int32>", "anonymous<int>")]
    [InlineData("Shop.<Names>F0ABC12__Hidden", "Shop.Hidden")]
    [InlineData("", "")]
    public void Runtime_names_become_C_sharp(string runtimeName, string csharp) =>
        Assert.Equal(csharp, TypeName.FromRuntimeName(runtimeName));

    [Theory]
    [InlineData("Shop.Cache<System.String, System.Collections.Generic.List<System.Int32>>", "string|System.Collections.Generic.List<int>")]
    [InlineData("Shop.Cache`2+Entry`1[[System.String, a],[System.__Canon, a],[System.Int32, a]]", "string|?|int")]
    [InlineData("Shop.Cache<System.String>+Entry<System.Int32>", "string|int")]
    [InlineData("Shop.Orders", "")]
    public void The_type_arguments_can_be_asked_for(string runtimeName, string arguments) =>
        Assert.Equal(arguments, string.Join('|', TypeName.ArgumentsOf(runtimeName)));

    [Theory]
    [InlineData("System.Collections.Generic.Dictionary<System.Guid, Shop.Orders.Line[]>", "Dictionary<Guid, Line[]>")]
    [InlineData("(int, System.Guid)?", "(int, Guid)?")]
    [InlineData("int", "int")]
    [InlineData("Shop.Store<System.Text.Rune>.Rack<int>", "Store<Rune>.Rack<int>")]
    [InlineData("Shop.Store<int>.Aisle.Rack", "Store<int>.Rack")]
    public void Short_names_have_no_namespaces(string csharp, string expected) => Assert.Equal(expected, TypeName.Short(csharp));

    [Theory]
    [InlineData("A<")]
    [InlineData("A<B")]
    [InlineData("A[[")]
    [InlineData("A`1[[B")]
    [InlineData("A>>>")]
    [InlineData("A,B,C")]
    [InlineData("<<<")]
    [InlineData("A\\")]
    [InlineData("A`99999999999")]
    [InlineData("[")]
    [InlineData("&&&***")]
    public void Invalid_names_are_returned_as_text(string runtimeName) => Assert.NotNull(TypeName.FromRuntimeName(runtimeName));

    [Theory]
    [InlineData("A<")]
    [InlineData("<")]
    [InlineData("A[[")]
    [InlineData("A+")]
    [InlineData("[]")]
    [InlineData("&")]
    [InlineData("A,")]
    [InlineData("A`1[B]+")]
    public void Long_names_are_shortened_in_linear_time(string part)
    {
        string Name(int length) => string.Concat(Enumerable.Repeat(part, length / part.Length));
        string small = Name(100_000), big = Name(2_000_000);
        // Twenty times as long; what is not linear takes four hundred times as long.
        double ratio = Fastest(big) / Math.Max(Fastest(small), 0.5);
        Assert.True(ratio < 80, $"{ratio:F1} times as long");
        Assert.InRange(TypeName.FromRuntimeName(big).Length, 0, CappedText.MaxLength);
    }

    private static double Fastest(string name) => Enumerable.Range(0, 3).Min(round =>
    {
        long start = Stopwatch.GetTimestamp();
        _ = TypeName.FromRuntimeName(name);
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    });

    [Fact]
    public void A_shortened_name_is_marked() => Assert.EndsWith(CappedText.CutMark, TypeName.FromRuntimeName(new string('A', 5000)), StringComparison.Ordinal);
}
