extern alias experiment;
using experiment::TaskletFixture.Runtime;

namespace TaskletFixture;

/// <summary>Brings tasklets about, tells the truth about them, says "ready PID", and stands still until standard input closes. See dumps/README.md.</summary>
public static class Program
{
    public static int Main(string[] args)
    {
        if (Options.Parse(args) is not { } options)
            return Fail(2, Options.Usage + Environment.NewLine + "damage: " + string.Join(", ", Damages.Rules.Keys));
        if (Environment.GetEnvironmentVariable("DOTNET_TieredCompilation") != "0")
            return Fail(2, "start it with DOTNET_TieredCompilation=0: otherwise methods have other frames each time, or none");
        try
        {
            return Run(options);
        }
        catch (Exception e) when (e is IOException or InvalidOperationException)
        {
            return Fail(1, e.Message);
        }
    }

    private static int Run(Options options)
    {
        NativeTasklets.Load(options.Variant + (options.NoContract ? "-nocontract" : ""));
        var truth = new Truth(options);
        Tasklets.Notes = Trail.Notes;
        Tasklets.Captured = owner =>
        {
            truth.Owned(owner);
            Trail.Suspended(owner);
        };
        Situations.All[options.Situation](truth, options);
        if (options.Damage is { } kind)
            Damages.Bring(truth, kind);
        if (options.LayoutFile is { } layout)
            File.WriteAllText(layout, NativeTasklets.ContractFile());
        string json = truth.ToJson();
        if (options.TruthFile is { } file)
            File.WriteAllText(file, json);
        Console.Out.WriteLine(json);
        Console.Out.WriteLine($"ready {Environment.ProcessId}");
        Console.Out.Flush();
        while (Console.In.ReadLine() is not null)
        {
        }
        GC.KeepAlive(truth);
        Environment.Exit(0);
        return 0;
    }

    private static int Fail(int code, string message)
    {
        Console.Error.WriteLine(message);
        return code;
    }
}
