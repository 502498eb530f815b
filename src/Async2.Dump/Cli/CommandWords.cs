using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Cli;

/// <summary>What the words of a command line tell at a glance, before there is a parser.</summary>
internal static class CommandWords
{
    // Commands that start processes of their own or wait for a client, and questions about the tool.
    private static readonly string[] NotForAWorker = ["ps", "demo", "sos", "look-into", "dap", "--help", "-h", "-?", "/h", "/?", "--version"];

    /// <summary>
    /// Whether a command line reads a target. A wrong yes costs time: the worker does whatever else it turns out to be. A wrong no is put
    /// right when the command line is understood.
    /// </summary>
    public static bool WantWorker(string[] args)
    {
        if (Environment.GetEnvironmentVariable(OwnProcesses.SupervisorVariable) is not null)
            return false;
        bool any = false;
        foreach (string word in args)
        {
            if (IsIndirect(word) || IsNotForAWorker(word))
                return false;
            any |= !word.StartsWith('-');
        }
        return any;
    }

    /// <summary>Whether only the parser knows what a word means: a directive, a file with more words.</summary>
    public static bool IsIndirect(string word) => word.StartsWith('[') || word.StartsWith('@');

    // A plain loop: what generic code the framework has no compiled form of, the JIT would have to be loaded for.
    private static bool IsNotForAWorker(string word)
    {
        foreach (string other in NotForAWorker)
        {
            if (word == other)
                return true;
        }
        return false;
    }
}
