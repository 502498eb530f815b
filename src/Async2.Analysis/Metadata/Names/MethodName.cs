using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>
/// A method as C# developers write it. Text is raw (control characters are the renderers' business) and capped at
/// <see cref="CappedText.MaxLength"/> chars. For compiler-made methods everything is about the method that the developer wrote.
/// </summary>
internal sealed record MethodName
{
    /// <summary><c>Shop.Cache&lt;string, int&gt;.GetAsync&lt;Guid&gt;(string)</c>.</summary>
    public required string Full { get; init; }

    /// <summary>Declaring type with namespace: <c>Shop.Cache&lt;string, int&gt;</c>; closures are hidden.</summary>
    public required string TypeName { get; init; }

    /// <summary>Without type, type arguments and parameters: <c>GetAsync</c>, <c>PayAsync.lambda</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Empty for the global namespace.</summary>
    public required string Namespace { get; init; }

    /// <summary>
    /// Token of the method whose parameters are shown: for <c>MoveNext</c> of a state machine the method that starts it, else the
    /// token that was asked for.
    /// </summary>
    public required int Token { get; init; }
}
