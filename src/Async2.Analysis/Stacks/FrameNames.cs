using System.Globalization;
using Async2.Analysis.Code.Metadata;

namespace Async2.Analysis.Stacks;

/// <summary>Names of frames where metadata gives none, and type arguments in C# form.</summary>
internal static class FrameNames
{
    public static string OfStub(string? stubName) => stubName is null ? "<unknown method>" : $"<unknown type>.{stubName}";

    /// <summary>A step of the runtime's that no method stands for.</summary>
    public const string OfRuntime = "<runtime>";

    /// <param name="place">Module and offset, or an address.</param>
    public static string OfNative(string? place) => $"<native {place}>";

    public static string OfToken(int token) => string.Create(CultureInfo.InvariantCulture, $"<method 0x{token:x8}>");

    public static string OfUnreadable(ulong address) => string.Create(CultureInfo.InvariantCulture, $"<unreadable 0x{address:x}>");

    /// <summary>Null where the runtime does not know an argument: the type parameter's own name is shown then.</summary>
    public static string?[]? Arguments(string?[] runtimeNames)
        => runtimeNames.Length == 0 ? null : [.. runtimeNames.Select(n => n is null ? null : TypeName.FromRuntimeName(n))];
}
