using System.Reflection;
using System.Runtime.CompilerServices;
using Async2.Analysis;
using Async2.Analysis.Query;
using Async2.Dump;

namespace Async2.Tests.House;

/// <summary>What several delegates together stand for is an interface: a reader must be able to go from a question to its answer.</summary>
public sealed class DelegateTests
{
    private const int Most = 2;

    // Rows of tables, whose delegates are beside each other in the table.
    private static readonly Type[] Rows = [typeof(QueryOption)];

    [Theory]
    [InlineData(typeof(Analyzer))]
    [InlineData(typeof(ToolMain))]
    public void No_type_is_a_record_of_delegates(Type inAssembly) => Rule.Holds(inAssembly.Assembly.GetTypes()
        .Where(type => !Rows.Contains(type) && DelegatesOf(type) > Most).Select(type => $"{type} has {DelegatesOf(type)} delegates"));

    [Fact]
    public void Delegates_are_counted() => Assert.Equal(3, DelegatesOf(typeof(Answers)));

    private static int DelegatesOf(Type type) => type.IsDefined(typeof(CompilerGeneratedAttribute)) ? 0
        : type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Count(field => field.FieldType.IsAssignableTo(typeof(Delegate)));

    private sealed record Answers(Func<int> One, Action Two, Predicate<string> Three, string Name);
}
