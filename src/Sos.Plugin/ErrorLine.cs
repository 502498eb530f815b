using System.Runtime.CompilerServices;
using Async2.Analysis.Rendering;
using Async2.Analysis.Stacks;
using Async2.Analysis.Targets;

namespace Async2.Sos;

/// <summary>Puts an error into one line: what happened, why, and what to do about it.</summary>
internal static class ErrorLine
{
    public static string Of(Exception exception) => exception switch
    {
        FileNotFoundException or FileLoadException or BadImageFormatException => Missing(exception),
        MissingMemberException or TypeLoadException => "dumpasync2 does not fit this host: " + FirstLine(exception)
            + "; update the host, or install the plugin again: dotnet-async2 sos install",
        OperationCanceledException => "interrupted before anything was found; run it again and give it more time",
        OutOfMemoryException => "this machine has too little memory for the target; analyze the dump on a bigger one",
        _ => OfLibrary(exception),
    };

    private static string Missing(Exception exception)
    {
        string file = (exception as FileNotFoundException)?.FileName ?? (exception as FileLoadException)?.FileName ?? (exception as BadImageFormatException)?.FileName ?? "a library";
        return $"dumpasync2 cannot load {file.Split(',')[0]}, which belongs to it; install it again: dotnet-async2 sos install";
    }

    // Its types can be missing, too.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string OfLibrary(Exception exception) => exception switch
    {
        TargetException target => Line(target.Message, target.Cure),
        QueryException query => Line(query.Message, query.Cure),
        _ => $"unexpected {exception.GetType().Name}: {FirstLine(exception)}; this is a bug, please report it with what you typed",
    };

    private static string Line(string message, string cure) => SafeText.Escape($"{message.TrimEnd('.')}; {cure}".ReplaceLineEndings(" "));

    private static string FirstLine(Exception exception) => exception.Message.Split('\n')[0].TrimEnd('\r', '.');
}
