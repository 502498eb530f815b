using System.Globalization;

namespace Async2.Benchmarks.Results;

/// <summary>How a measured number is written.</summary>
internal sealed class Unit
{
    private readonly double _scale;
    private readonly string _name;

    private Unit(double scale, string name) => (_scale, _name) = (scale, name);

    public static Unit Milliseconds { get; } = new(1, "ms");

    /// <summary>Of bytes; a megabyte is 10^6.</summary>
    public static Unit Megabytes { get; } = new(1e-6, "MB");

    public static Unit Nanoseconds { get; } = new(1, "ns");

    /// <summary>Three digits where that is not less than the number has: <c>4.21 ms</c>, <c>1520 ms</c>.</summary>
    public string Format(double value)
    {
        double scaled = _scale * value;
        string digits = scaled < 10 ? "F2" : scaled < 100 ? "F1" : "F0";
        return $"{scaled.ToString(digits, CultureInfo.InvariantCulture)} {_name}";
    }
}
