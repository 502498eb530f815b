using Async2.Analysis.Rendering.Exports;
using Async2.Dump.Exports.Wire;

namespace Async2.Dump.Exports;

/// <summary>The tables of a profile, in which each text, module, method and place is once.</summary>
internal sealed class PprofTables
{
    private readonly Dictionary<string, long> _texts = new(StringComparer.Ordinal);
    private readonly Dictionary<(string Name, Guid? Version), ulong> _modules = [];
    private readonly Dictionary<(string Name, string? File), ulong> _functions = [];
    private readonly Dictionary<(ulong Function, ulong Module, int? Line), ulong> _locations = [];

    public PprofTables() => Text("");

    /// <summary>The profile that has them.</summary>
    public Profile Profile { get; } = new();

    /// <summary>Number of a text.</summary>
    public long Text(string text)
    {
        if (!_texts.TryGetValue(text, out long number))
        {
            _texts[text] = number = Profile.StringTable.Count;
            Profile.StringTable.Add(text);
        }
        return number;
    }

    /// <summary>Id of the place of a frame.</summary>
    public ulong Location(ExportFrame frame)
    {
        // A place without a line, such as "Shop.dll:?", is only in the name.
        (ulong Function, ulong Module, int? Line) place = (Function(frame.Line is null ? frame.Text : frame.Name, frame.File), Module(frame), frame.Line);
        if (!_locations.TryGetValue(place, out ulong id))
        {
            _locations[place] = id = (ulong)_locations.Count + 1;
            Profile.Location.Add(new Location { Id = id, MappingId = place.Module, Line = { new Line { FunctionId = place.Function, Line_ = place.Line ?? 0 } } });
        }
        return id;
    }

    private ulong Function(string name, string? file)
    {
        if (!_functions.TryGetValue((name, file), out ulong id))
        {
            _functions[(name, file)] = id = (ulong)_functions.Count + 1;
            // Without a system name: pprof takes one that is the same for C++, and cuts off the parameters.
            Profile.Function.Add(new Function { Id = id, Name = Text(name), Filename = Text(file ?? "") });
        }
        return id;
    }

    // Zero is none: what is waited for is in no module.
    private ulong Module(ExportFrame frame)
    {
        if (frame.Module is not { } name)
            return 0;
        if (!_modules.TryGetValue((name, frame.ModuleVersion), out ulong id))
        {
            _modules[(name, frame.ModuleVersion)] = id = (ulong)_modules.Count + 1;
            Profile.Mapping.Add(new Mapping
            {
                Id = id,
                Filename = Text(name),
                BuildId = Text(frame.ModuleVersion?.ToString() ?? ""),
                HasFunctions = true,
                HasFilenames = true,
                HasLineNumbers = true,
            });
        }
        return id;
    }
}
