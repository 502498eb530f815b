using Async2.Analysis.Query;
using Async2.Dump.Cli;

namespace Async2.Dump.Dap.Protocol;

/// <summary>Why a request failed, as a client shows it.</summary>
/// <param name="Id">Number of the kind of error, the same in every version.</param>
/// <param name="Text">What happened and what to do, one or two sentences.</param>
/// <param name="IsForUser">The user caused it and should see it; otherwise it is between programs.</param>
internal sealed record DapError(int Id, string Text, bool IsForUser = true)
{
    /// <summary>The protocol's error for a cancelled request.</summary>
    public const string Cancelled = "cancelled";

    private const int TargetId = 1, UsageId = 2, RefusedId = 3, UnknownId = 4, CancelledId = 5, CrashedId = 6;

    /// <summary>Describes an exception.</summary>
    public static DapError From(Exception exception) => exception switch
    {
        DapException refused => refused.Error,
        OperationCanceledException => new(CancelledId, Cancelled, IsForUser: false),
        _ => From(Failure.From(exception)),
    };

    /// <summary>The worker process has died.</summary>
    public static DapError Crashed(Exception exception) => new(CrashedId, TextOf(Failure.From(exception)));

    /// <summary>A query typed in the console is not valid; the console shows it.</summary>
    public static DapException Mistyped(QueryException exception) => new(From(Failure.From(exception)) with { IsForUser = false });

    /// <summary>Not possible for this target.</summary>
    public static DapException Refused(string text) => new(new(RefusedId, text));

    /// <summary>The client uses an id that it was not given, or that is no longer valid.</summary>
    public static DapException Unknown(string text) => new(new(UnknownId, text, IsForUser: false));

    private static DapError From(Failure failure) => new(failure.ExitCode == ExitCodes.Usage ? UsageId : TargetId, TextOf(failure));

    private static string TextOf(Failure failure) => DapText.Long($"{Sentence(failure.Message)} {Sentence(failure.Fix)}");

    // A word to be typed keeps its case: "method: needs ...", "dotnet-async2 ps". Columns are for terminals.
    private static string Sentence(string text)
    {
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length > 0 && words[0].All(char.IsAsciiLetter))
            words[0] = char.ToUpperInvariant(words[0][0]) + words[0][1..];
        return string.Join(' ', words).TrimEnd('.') + ".";
    }
}

/// <summary>A request failed.</summary>
/// <param name="error">Why.</param>
internal sealed class DapException(DapError error) : Exception(error.Text)
{
    /// <summary>Why.</summary>
    public DapError Error { get; } = error;
}
