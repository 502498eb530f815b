using System.Globalization;

namespace Async2.Analysis.Analyses.Children;

/// <summary>How findings name another process.</summary>
internal static class ProcessText
{
    /// <summary><c>process 4711 (less)</c>; without what is not known.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="name">Its name, if known.</param>
    public static string Of(long id, string? name) => $"process {Number(id)}{(name is null ? "" : $" ({name})")}";

    /// <summary>The id as findings write it.</summary>
    public static string Number(long id) => id.ToString(CultureInfo.InvariantCulture);
}
