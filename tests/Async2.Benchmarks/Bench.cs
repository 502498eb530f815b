using Async2.Benchmarks.Measures;
using Async2.Benchmarks.Processes;
using Async2.Benchmarks.Results;

namespace Async2.Benchmarks;

/// <summary>Runs everything that was asked for, one after another, and prints the table.</summary>
internal static class Bench
{
    private const int Fine = 0;
    private const int Broken = 1;
    private const int Usage = 2;

    /// <returns>0 also when goals were missed: a measurement is not a judgement; 1 when something could not be measured.</returns>
    public static int Measure(string[] args)
    {
        try
        {
            return Run(BenchOptions.Parse(args));
        }
        catch (FormatException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return Usage;
        }
        catch (BenchException broken)
        {
            Console.Error.WriteLine(broken.Message);
            return Broken;
        }
    }

    private static int Run(BenchOptions options)
    {
        var tool = Tool.Find(options.Tool);
        var report = new Report();
        report.Say($"tool: {tool.Path}");
        if (tool.IsStale)
            report.Note("the tool that was measured is older than the build of these sources");
        foreach (Workload workload in Workload.All.Where(workload => options.Wants(workload.Name) && !(options.Quick && workload.Big)))
            report.Guard(workload.Name, () => new DumpMeasures(workload, options, tool, report).Run());
        if (options.Wants(GrowthMeasures.Name))
            report.Guard(GrowthMeasures.Name, () => GrowthMeasures.Run(options, tool, report));
        if (options.Wants(ColdMeasures.Name))
            report.Guard(ColdMeasures.Name, () => ColdMeasures.Run(options, tool, report));
        if (options.Wants(TaskletMeasures.Name))
            report.Guard(TaskletMeasures.Name, () => TaskletMeasures.Run(options, tool, report));
        if (options.Wants(LiveMeasures.Name))
            report.Guard(LiveMeasures.Name, () => LiveMeasures.Run(options, tool, report));
        if (options.Wants(HeapMeasures.Name) && !options.Quick)
            report.Guard(HeapMeasures.Name, () => HeapMeasures.Run(options, tool, report));
        if (options.Wants(StartupMeasures.Name))
            report.Guard(StartupMeasures.Name, () => StartupMeasures.Run(options, tool, report));
        string text = report.ToText(options);
        Console.WriteLine(text);
        if (options.Write)
            PerformancePage.Put(text);
        return report.IsBroken ? Broken : Fine;
    }
}
