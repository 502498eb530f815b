namespace Async2.Analysis.Rendering.Text;

/// <summary>Role of a piece of text; each sink (plain, colours, SOS's links) decides how it looks.</summary>
public enum TextRole
{
    /// <summary>Plain text.</summary>
    Plain,

    /// <summary>Less important text: namespaces, parameters, legends.</summary>
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

    /// <summary>A count.</summary>
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
