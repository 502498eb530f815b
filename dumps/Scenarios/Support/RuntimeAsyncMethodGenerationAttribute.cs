namespace System.Runtime.CompilerServices;

/// <summary>
/// The compiler looks for this attribute by name; .NET 10 does not ship it. With <c>false</c> the method becomes a classic
/// state machine in a runtime-async build too.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RuntimeAsyncMethodGenerationAttribute(bool runtimeAsync) : Attribute
{
    public bool RuntimeAsync { get; } = runtimeAsync;
}
