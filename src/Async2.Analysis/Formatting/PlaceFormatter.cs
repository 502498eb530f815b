using System.Globalization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Formatting;

/// <summary>Where a frame is, in one or two words for a sentence. Not escaped.</summary>
internal static class PlaceFormatter
{
    /// <summary><c>Bank.ChargeAsync (Bank.cs:10)</c>; without what is unknown.</summary>
    public static string Of(LogicalFrame frame)
    {
        string place = Line(frame);
        return place.Length == 0 ? Method(frame) : $"{Method(frame)} ({place})";
    }

    /// <summary>Simple type and name, <c>Bank.ChargeAsync</c>.</summary>
    public static string Method(LogicalFrame frame)
    {
        if (frame.Name is not { } name)
            return frame.Method;
        return frame.Type is { } type ? $"{SimpleType(type)}.{name}" : name;
    }

    /// <summary><c>Bank.cs:10</c>, or the module; empty if neither is known. <c>~</c> stands before a line that is not certain.</summary>
    public static string Line(LogicalFrame frame)
    {
        if (frame.File is not { } file || frame.Line is not { } line)
            return frame.Module ?? "";
        string mark = frame.Exactness is Exactness.Exact or Exactness.Order || frame.Kind == FrameKind.Thread ? "" : "~";
        // The path is from the build machine: its separator may differ from ours.
        return $"{file[(file.LastIndexOfAny(['/', '\\']) + 1)..]}:{mark}{line.ToString(CultureInfo.InvariantCulture)}";
    }

    // Shop.Cache<Shop.Order> is Cache<Shop.Order>: dots of type arguments do not count.
    private static string SimpleType(string type)
    {
        int arguments = type.IndexOf('<', StringComparison.Ordinal);
        string bare = arguments < 0 ? type : type[..arguments];
        return bare[(bare.LastIndexOf('.') + 1)..];
    }
}
