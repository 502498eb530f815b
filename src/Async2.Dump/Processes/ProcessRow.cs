namespace Async2.Dump.Processes;

/// <summary>One line of <c>ps</c>: a process, and the result of a quick read without stopping it. Absent = not known.</summary>
internal sealed record ProcessRow
{
    /// <summary>The verdict on a process that was not read yet: only in lines.</summary>
    public const string Pending = "pending";

    public required int Pid { get; init; }

    public required string Name { get; init; }

    public string? Runtime { get; init; }

    /// <summary>Async families in use.</summary>
    public IEnumerable<string>? Families { get; init; }

    public long? Stacks { get; init; }

    public long? Frames { get; init; }

    /// <summary><c>no async</c>, <c>unknown</c>, <c>awaiting</c>, <c>running</c>, <c>blocked</c>, <c>deadlock</c> or the rule of another finding, or <c>unreadable</c>.</summary>
    public required string Verdict { get; init; }

    /// <summary>False if the read was stopped early: the counts are lower bounds.</summary>
    public bool? Complete { get; init; }

    /// <summary>Why it could not be read.</summary>
    public string? Reason { get; init; }

    public string? CommandLine { get; init; }
}

/// <summary>The root of <c>async2.ps/1</c>.</summary>
/// <param name="Schema">Name and version of the format.</param>
/// <param name="Processes">By process id.</param>
internal sealed record ProcessDocument(string Schema, IEnumerable<ProcessRow> Processes)
{
    public const string SchemaId = "async2.ps/1";
}
