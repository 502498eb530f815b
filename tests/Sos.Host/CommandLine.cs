using System.Globalization;
using System.Reflection;

namespace Sos.Host;

/// <summary>Sets the options of a command as System.CommandLine does for the hosts.</summary>
internal static class CommandLine
{
    public static void Set(object command, string[] words, Services services)
    {
        Dictionary<string, PropertyInfo> options = Options(command, services);
        for (int i = 0; i < words.Length; i++)
        {
            if (!options.TryGetValue(words[i], out PropertyInfo? option))
                throw new InvalidOperationException($"Unrecognized command or argument '{words[i]}'.");
            option.SetValue(command, option.PropertyType == typeof(bool) ? true : Value(command, option, words[i], ++i < words.Length ? words[i] : null));
        }
    }

    private static Dictionary<string, PropertyInfo> Options(object command, Services services)
    {
        var options = new Dictionary<string, PropertyInfo>();
        foreach (PropertyInfo property in command.GetType().GetProperties())
        {
            if (services.Attribute(property, "OptionAttribute") is not { } option)
                continue;
            options[(string)option.GetType().GetField("Name")!.GetValue(option)!] = property;
            foreach (string alias in (string[])option.GetType().GetField("Aliases")!.GetValue(option)!)
                options[alias] = property;
        }
        return options;
    }

    private static object Value(object command, PropertyInfo option, string name, string? word)
    {
        if (word is null)
            throw new InvalidOperationException($"Required argument missing for option: '{name}'.");
        if (option.PropertyType == typeof(string))
            return word;
        if (option.PropertyType == typeof(string[]))
            return (string[])[.. (string[]?)option.GetValue(command) ?? [], word];
        return int.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number) ? number
            : throw new InvalidOperationException($"Cannot parse argument '{word}' for option '{name}' as expected type '{option.PropertyType}'.");
    }
}
