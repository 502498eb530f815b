using System.Runtime.CompilerServices;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets.Contract;

namespace Async2.Sos.Text;

/// <summary>Formats an error as one line: what happened, why, and what to do about it.</summary>
internal static class ErrorLine
{
    public static string Of(Exception exception)
    {
        // The inner exception of a compilation failure says what is wrong with the installation.
        for (Exception? cause = exception; cause is not null; cause = cause.InnerException)
        {
            if (cause is FileNotFoundException or FileLoadException or BadImageFormatException && FileOf(cause) is { } file)
                return $"dumpasync2 cannot load {file.Split(',')[0]}, which belongs to it; install it again: dotnet-async2 sos install";
            if (cause is MissingMemberException or TypeLoadException)
                return $"dumpasync2 does not fit this host: {FirstLine(cause)}; update the host, or install the plugin again: dotnet-async2 sos install";
        }
        return OfOther(exception);
    }

    private static string? FileOf(Exception exception) => exception switch
    {
        FileNotFoundException missing => missing.FileName,
        FileLoadException unfit => unfit.FileName,
        _ => (exception as BadImageFormatException)?.FileName,
    };

    private static string OfOther(Exception exception) => exception switch
    {
        OperationCanceledException => "interrupted before anything was found; run it again and give it more time",
        OutOfMemoryException => "this machine has too little memory for the target; analyze the dump on a bigger one",
        _ => OfLibrary(exception),
    };

    // Its types can be missing, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string OfLibrary(Exception exception) => exception switch
    {
        TargetException target => Line(target.Message, target.Fix),
        QueryException query => Line(query.Message, query.Fix),
        _ => $"unexpected {exception.GetType().Name}: {FirstLine(exception)}; this is a bug, please report it with what you typed",
    };

    private static string Line(string message, string fix) => SafeText.Escape($"{message.TrimEnd('.')}; {fix}".ReplaceLineEndings(" "), ascii: true);

    private static string FirstLine(Exception exception) => exception.Message.Split('\n')[0].TrimEnd('\r', '.');
}
