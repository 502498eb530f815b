using System.Globalization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Query;

/// <summary>Tests of a <see cref="StackQuery"/> on a frame's place and module.</summary>
internal static class FrameTests
{
    /// <summary>Its method or its <c>file:line</c> matches.</summary>
    public static bool IsAt(TextPattern pattern, LogicalFrame frame) => pattern.Matches(frame.Method) || pattern.Matches(frame.Endpoint)
        || (frame is { File: { } file, Line: { } line } && pattern.Matches(string.Create(CultureInfo.InvariantCulture, $"{file}:{line}")));

    /// <summary>It belongs to a module, named with or without <c>.dll</c>.</summary>
    public static bool IsOfModule(string wanted, LogicalFrame frame)
        => frame.Module is not null && string.Equals(NameOf(wanted), NameOf(frame.Module), StringComparison.OrdinalIgnoreCase);

    private static string NameOf(string module)
        => Path.GetExtension(module).ToUpperInvariant() is ".DLL" or ".EXE" ? Path.GetFileNameWithoutExtension(module) : module;
}
