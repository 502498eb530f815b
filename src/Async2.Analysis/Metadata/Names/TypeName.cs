using System.Collections.Immutable;
using System.Text;

namespace Async2.Analysis.Metadata.Names;

/// <summary>Type names as a runtime or ClrMD spells them, in C# form.</summary>
internal static class TypeName
{
    /// <summary>
    /// Stands for a type argument that shared generic code does not know (<c>System.__Canon</c>). A caller that prints a method name
    /// may put the type parameter's own name in its place.
    /// </summary>
    public const string Unknown = "?";

    /// <summary>
    /// C# form of <c>System.Collections.Generic.Dictionary&lt;System.String, System.Int32&gt;</c> or
    /// <c>Outer`1+Inner[[System.String, mscorlib]]</c>: keywords, dots, no arity marks; namespaces stay. Wrong text comes back
    /// more or less as it is. Linear in the length, nesting beyond a limit is cut with a mark.
    /// </summary>
    public static string FromRuntimeName(string runtimeName) => RuntimeNameParser.Parse(runtimeName).Text;

    /// <summary>
    /// The type arguments of a runtime name in C# form, outer type's first; unknown ones are <see cref="Unknown"/>.
    /// Empty for a type that is not generic, or when the name does not tell.
    /// </summary>
    public static ImmutableArray<string> ArgumentsOf(string runtimeName) => RuntimeNameParser.Parse(runtimeName).Arguments;

    /// <summary>Drops namespaces and outer types everywhere in a C# type name: <c>List&lt;Item&gt;</c>.</summary>
    public static string Short(string csharpName)
    {
        var text = new StringBuilder(csharpName.Length);
        var start = 0;
        foreach (var c in csharpName)
        {
            // An outer type whose arguments are shown stays: Store<string>.Rack.
            var isBehindArguments = c == '.' && start > 0 && text.Length == start && text[^1] == '>';
            if (c == '.' && !isBehindArguments) text.Length = start;
            else text.Append(c);
            if (isBehindArguments || "<>()[],?*& ".Contains(c, StringComparison.Ordinal)) start = text.Length;
        }

        return text.ToString();
    }
}
