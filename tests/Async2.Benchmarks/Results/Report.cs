namespace Async2.Benchmarks.Results;

/// <summary>Collects rows and notes, says on standard error what is being done, and becomes the text at the end.</summary>
internal sealed class Report
{
    private readonly List<Row> _rows = [];
    private readonly List<string> _notes = [];

    /// <summary>Something could not be measured.</summary>
    public bool IsBroken { get; private set; }

    public void Add(Row row) => _rows.Add(row);

    /// <summary>A line below the table.</summary>
    public void Note(string text) => _notes.Add(text);

    /// <summary>A line for those who wait.</summary>
    public void Say(string text) => Console.Error.WriteLine(text);

    /// <summary>Runs one part; what cannot be measured there does not keep the others from it.</summary>
    public void Guard(string name, Action part)
    {
        try
        {
            part();
        }
        catch (Exception broken) when (broken is not OutOfMemoryException)
        {
            IsBroken = true;
            Note($"{name} was not measured to the end: {broken.Message.ReplaceLineEndings(" ")}");
            Say(_notes[^1]);
        }
    }

    public string ToText(BenchOptions options)
    {
        string notes = string.Concat(_notes.Select(note => $"- {note}\n"));
        return $"`{options.CommandLine}`: medians of {options.Rounds}, interleaved; {Machine.Describe()}.\n\n{Table.Of(_rows)}\n\n{notes}";
    }
}
