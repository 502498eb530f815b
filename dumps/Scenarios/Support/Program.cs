using System.Globalization;
using System.Runtime.InteropServices;

namespace Scenarios.Support;

/// <summary>
/// Brings every scenario to its final gate, says the truth about it on standard output, and stands still to be looked at.
/// Main is no async method: it would be one more logical stack.
/// </summary>
public static class Program
{
    private static ScenarioRun[] runs = [];

    public static int Main(string[] args)
    {
        try
        {
            Options options = Options.Parse(args);
            Scenario[] scenarios = options.Choose();
            if (options.List) return List(scenarios);
            using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Leave);
            Bring(scenarios, options);
            WaitUntilStandardInputCloses();
            GC.KeepAlive(runs);
            return 0;
        }
        catch (FormatException wrong)
        {
            Console.Error.WriteLine($"{wrong.Message}{Environment.NewLine}{Options.Usage}");
            return 2;
        }
        catch (TypeInitializationException notLoaded) when (notLoaded.InnerException is TypeLoadException)
        {
            Console.Error.WriteLine("The runtime did not load this runtime-async build: set DOTNET_RuntimeAsync=1 and start it again.");
            return 1;
        }
        catch (ScenarioException broken)
        {
            Console.Error.WriteLine(broken.Message);
            return 1;
        }
    }

    private static int List(Scenario[] scenarios)
    {
        foreach (Scenario scenario in scenarios) Console.WriteLine($"{scenario.Name}: {scenario.MustSee}");
        return 0;
    }

    private static void Bring(Scenario[] scenarios, Options options)
    {
        if (options.Chains > 0)
        {
            Chains.Start(options.Chains, options.Depth);
        }
        else
        {
            Rehearsals.Run(scenarios, options.Warm);
            runs = FinalRun.Start(scenarios, options.Repeat);
        }
        string truth = TruthDocument.Write(runs, options);
        if (options.TruthFile is { } file) File.WriteAllText(file, truth + "\n");
        Console.Out.WriteLine(truth);
        Console.Out.WriteLine(string.Create(CultureInfo.InvariantCulture, $"ready {Environment.ProcessId}"));
        Console.Out.Flush();
    }

    private static void WaitUntilStandardInputCloses()
    {
        while (Console.In.ReadLine() is { } line)
        {
            // All that is alive is old then.
            if (line == "tidy") GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
        }
    }

    private static void Leave(PosixSignalContext signal)
    {
        signal.Cancel = true;
        Environment.Exit(0);
    }
}
