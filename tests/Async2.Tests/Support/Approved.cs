namespace Async2.Tests.Support;

/// <summary>
/// Compares output with a file that somebody looked at and approved. On a difference the output is left beside it as
/// <c>.actual</c>; <c>ASYNC2_ACCEPT=1</c> makes it the approved one.
/// </summary>
internal static class Approved
{
    private static bool Accepts => Environment.GetEnvironmentVariable("ASYNC2_ACCEPT") == "1";

    /// <summary>Compares with <c>tests/Async2.Tests/FOLDER/NAME</c>.</summary>
    public static void Check(string folder, string name, string actual)
        => Check(Repository.PathOf("tests", "Async2.Tests", folder, name), actual, Accepts);

    /// <summary>Compares with a file of the repository that is generated, not approved by eye.</summary>
    public static void CheckGenerated(string path, string actual) => Check(path, actual, Accepts);

    /// <summary>The comparison itself; its own tests decide about accepting.</summary>
    internal static void Check(string path, string actual, bool accept)
    {
        string actualPath = path + ".actual";
        string? approved = File.Exists(path) ? File.ReadAllText(path) : null;
        if (approved == actual)
        {
            File.Delete(actualPath);
            return;
        }
        if (accept)
        {
            File.Delete(actualPath);
            File.WriteAllText(path, actual);
            return;
        }
        File.WriteAllText(actualPath, actual);
        string difference = approved is null ? "there is no approved file yet" : FirstDifference(approved, actual);
        Assert.Fail($"{Path.GetFileName(path)}: {difference}\nlook at {actualPath}; ASYNC2_ACCEPT=1 approves it");
    }

    private static string FirstDifference(string approved, string actual)
    {
        string[] a = approved.Split('\n'), b = actual.Split('\n');
        int line = 0;
        while (line < a.Length && line < b.Length && a[line] == b[line])
            line++;
        return $"line {line + 1}\n  approved: {(line < a.Length ? a[line] : "(end)")}\n  actual:   {(line < b.Length ? b[line] : "(end)")}";
    }
}
