using Async2.Analysis.Layouts.Types;
using Async2.Analysis.Metadata.Signatures;
using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Code.Modules;

/// <summary>
/// A method of the target with its place in runtime-async. Its name comes from metadata: asking ClrMD for the name of an async
/// variant crashes the DAC of 10.0.12, and with it this process.
/// </summary>
/// <param name="Method">ClrMD's object; only its address, token, type and code may be asked for.</param>
/// <param name="Module">Where its metadata, IL and symbols are.</param>
/// <param name="Kind">What it is to runtime-async.</param>
/// <param name="Facts">From metadata; null if that is unreadable.</param>
internal sealed record AsyncMethod(ClrMethod Method, LoadedModule Module, AsyncMethodKind Kind, MethodFacts? Facts)
{
    public int Token => Method.MetadataToken;

    /// <summary>Declaring type with its type arguments as the runtime spells it.</summary>
    public string? RuntimeTypeName => Method.Type?.Name;

    /// <summary>The same definition, whatever the instantiation or variant.</summary>
    public bool IsSameDefinition(AsyncMethod other) => Token == other.Token && Module == other.Module;

    /// <summary>Null when metadata is unreadable.</summary>
    public CalleeName? CalleeName => Facts is { } facts ? new CalleeName(facts.DeclaringType.FullName, facts.RawName) : null;

    /// <summary>Not the compiler's: that would ask ClrMD for the method's name, which crashes the DAC.</summary>
    public override string ToString() => $"{Facts?.RawName ?? "?"} ({Kind})";

    /// <summary>A frame that the user wrote; the others are the runtime's own steps of an await.</summary>
    public bool IsUserBody => Kind == AsyncMethodKind.Body;
}
