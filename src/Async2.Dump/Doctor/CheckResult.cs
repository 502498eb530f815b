namespace Async2.Dump.Doctor;

/// <summary>Result of a check.</summary>
internal enum CheckLevel
{
    Ok,
    Warn,
    Fail,
}

/// <summary>The finding of a check.</summary>
/// <param name="Level">The result.</param>
/// <param name="Subject">What was checked, a word or two.</param>
/// <param name="Text">What was found.</param>
/// <param name="Fix">What to do about it; null if nothing is wrong.</param>
internal sealed record CheckResult(CheckLevel Level, string Subject, string Text, string? Fix = null)
{
    public static CheckResult Ok(string subject, string text) => new(CheckLevel.Ok, subject, text);

    public static CheckResult Warn(string subject, string text, string fix) => new(CheckLevel.Warn, subject, text, fix);

    public static CheckResult Fail(string subject, string text, string fix) => new(CheckLevel.Fail, subject, text, fix);
}
