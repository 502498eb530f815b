using Async2.Analysis.Targets.Processes;

namespace Async2.Dump.Cli;

/// <summary>What the arguments reveal at a glance, before there is a parser.</summary>
internal static class ArgumentScan
{
    // Commands that start processes of their own or wait for a client, and questions about the tool.
    private static readonly string[] NotForAWorker = ["ps", "demo", "sos", "look-into", "dap", "mcp", "watch", "completion", "man", "--explain", "--self-test", "--help", "-h", "-?", "/h", "/?", "--version"];

    /// <summary>
    /// Whether a command line reads a target. A wrong yes costs time: the worker then does whatever the command is. A wrong no is
    /// corrected when the command line is parsed.
    /// </summary>
    public static bool NeedsWorker(string[] args)
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

    // A plain loop: generic code that the framework has no precompiled form of would load the JIT.
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
