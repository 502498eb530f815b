using System.Globalization;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Stacks.Frames;

/// <summary>Names of frames where metadata gives none, and type arguments in C# form.</summary>
internal static class FrameNames
{
    public static string OfStub(string? stubName) => stubName is null ? "<unknown method>" : $"<unknown type>.{stubName}";

    /// <summary>A step of the runtime's that no method stands for.</summary>
    public const string OfRuntime = "<runtime>";

    /// <summary>Stands for frames that the JIT left out where nobody can say which.</summary>
    public static LogicalFrame LeftOut { get; } = new() { Kind = FrameKind.Elided, Method = "<async method without a frame>" };

    /// <summary>Stands for a chain that leads to no frame.</summary>
    public static LogicalFrame Unreadable { get; } = new() { Kind = FrameKind.Continuation, Method = "<unreadable chain>" };

    /// <param name="place">Module and offset, or an address.</param>
    public static string OfNative(string? place) => $"<native {place}>";

    public static string OfToken(int token) => string.Create(CultureInfo.InvariantCulture, $"<method 0x{token:x8}>");

    public static string OfUnreadable(ulong address) => string.Create(CultureInfo.InvariantCulture, $"<unreadable 0x{address:x}>");

    /// <summary>A method of a thread that was generated at run time; a method that it calls may be inlined, so that its frame is all that is left of both.</summary>
    public static LogicalFrame OfGenerated(string name)
        => new() { Kind = FrameKind.Thread, Method = name, Name = name, Note = "generated at run time, may have inlined methods that it calls" };

    /// <summary>Null where the runtime does not know an argument: the type parameter's own name is shown then.</summary>
    public static string?[]? Arguments(string?[] runtimeNames)
        => runtimeNames.Length == 0 ? null : [.. runtimeNames.Select(n => n is null ? null : TypeName.FromRuntimeName(n))];
}
