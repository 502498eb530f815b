using System.Reflection;

namespace Async2.Sos;

/// <summary>The text of <c>--help</c>, and what hosts append to their own help.</summary>
internal static class HelpText
{
    public const string Details = """
        Every stack is a chain of async methods that wait for one another, the one that really waits first:

          STACK 1  awaiting  task 0x7f14ed80b180
            waits for Task.Delay, due in at most 59 min
            00007f14ed80c268 00007f20c833fda8 (0)  Shop.Orders.PayAsync(int)  Orders.cs:42

        Before a method stand its object, the object's method table, and which of the method's awaits it stopped at, from 0.
        Methods on a thread, and those that the JIT left out and the IL proves, have no object.

        dumpasync2                        each stack
        dumpasync2 --coalesce             what is the same once, with a count: begin here when there are many
        dumpasync2 --stats                which methods there are, by count; a method table leads on to --methodtable
        dumpasync2 --address ADDRESS      the stack of an object
        dumpasync2 --findings             what is wrong, and why
        dumpasync2 --deadlocks            cycles of waits
        dumpasync2 --method Pay           stacks with a matching method; --with, --without, --waiting-on and others go with it
        dumpasync2 --fields --limit 1     arguments and locals

        --completed shows tasks of async methods that are done and still on the heap. Of classic methods it knows the
        method; of runtime-async ones only the task is left.
        --tasks shows pending tasks that somebody waits for when no async method does: the stack of one says so itself.
        Values must not hold spaces in lldb, which loses quotes.

        """;

    /// <summary>Each option with its names and help, as hosts know it.</summary>
    public static IEnumerable<(string Names, string Help)> Options => typeof(DumpAsync2Command).GetProperties()
        .SelectMany(property => property.CustomAttributes.Where(attribute => attribute.AttributeType.Name == "OptionAttribute"))
        .Select(Named)
        .OrderBy(option => Place(option.Name))
        .Select(option => (string.Join(", ", [.. option.Aliases, option.Name]) + ValueOf(option.Name), option.Help.TrimEnd('.')));

    public static string Whole
    {
        get
        {
            (string Names, string Help)[] options = [.. Options];
            int width = options.Max(option => option.Names.Length);
            return $"dumpasync2: shows what every async method waits for.\n\n{string.Concat(options.Select(option => $"  {option.Names.PadRight(width)}  {option.Help}\n"))}\n{Details}";
        }
    }

    // No member of the host's class is called: members were fields and may change.
    private static (string Name, IEnumerable<string> Aliases, string Help) Named(CustomAttributeData attribute)
    {
        Dictionary<string, object?> values = attribute.NamedArguments.ToDictionary(value => value.MemberName, value => value.TypedValue.Value);
        var aliases = (IEnumerable<CustomAttributeTypedArgument>?)values.GetValueOrDefault("Aliases") ?? [];
        return ((string)values["Name"]!, aliases.Select(alias => (string)alias.Value!), (string)values["Help"]!);
    }

    // Options that select stacks first, in table order; then the others in the order of the class.
    private static int Place(string name)
        => Array.FindIndex(DumpAsync2Command.Values, value => value.Option == name) is >= 0 and var place ? place : DumpAsync2Command.Values.Length;

    private static string ValueOf(string name)
        => Place(name) < DumpAsync2Command.Values.Length ? " " + DumpAsync2Command.Values[Place(name)].Value : "";
}
