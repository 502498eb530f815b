namespace Async2.Analysis.Rendering.Text;

/// <summary>What a piece of text is, so that each sink (plain, colours, SOS's links) decides how it looks.</summary>
public enum TextRole
{
    /// <summary>Words between the facts.</summary>
    Plain,

    /// <summary>Text that may be overlooked: namespaces, parameters, legends.</summary>
    Dim,

    /// <summary>A title: what the following lines are about.</summary>
    Heading,

    /// <summary>Name of a method.</summary>
    Method,

    /// <summary>Name of a type.</summary>
    Type,

    /// <summary>Source file and line.</summary>
    File,

    /// <summary>Address in the target.</summary>
    Address,

    /// <summary>How many.</summary>
    Count,

    /// <summary>State of a stack.</summary>
    State,

    /// <summary>What a stack waits for.</summary>
    Wait,

    /// <summary>Something that could not be read or decided.</summary>
    Problem,

    /// <summary>Something bad: a severe finding, a failed check.</summary>
    Error,

    /// <summary>Something good: a passed check.</summary>
    Good,
}
