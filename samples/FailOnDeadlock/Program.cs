// Fails a build when something in a process or a core dump waits for itself. After a test run that hangs, or against a service under test:
//   dotnet run --project samples/FailOnDeadlock -- PID|NAME|DUMP|ANSWER.json...
// An answer is what "--format json" or JsonRenderer wrote on a machine that may be gone by now.
// Exit code 0: nothing is deadlocked; 1: something is; 2: wrong usage; 3: not known, because a target could not be read or not in whole.
using Async2.Analysis;
using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Query;
using Async2.Analysis.Rendering.Formats;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Contract;

if (args.Length == 0)
{
    Console.Error.WriteLine("usage: FailOnDeadlock PID|NAME|DUMP|ANSWER.json...");
    return 2;
}
int[] codes = [.. args.Select(Check)];
return codes.Contains(1) ? 1 : codes.Max();

static int Check(string name)
{
    try
    {
        StackView view = Path.GetExtension(name) == ".json" ? Saved(name) : Analyzed(name);
        LogicalStack[] deadlocked = [.. view.Stacks.Where(stack => stack.State == StackState.Deadlocked)];
        foreach (LogicalStack stack in deadlocked)
        {
            Console.Error.WriteLine($"{name}: deadlock of {stack.Count} stacks: {SafeText.Escape(stack.WaitingOn?.FullText ?? "they wait for themselves")}");
            foreach (LogicalFrame frame in stack.Frames)
                Console.Error.WriteLine($"    {SafeText.Escape(frame.Method)} {SafeText.Escape(frame.File ?? "")}:{frame.Line}");
            foreach (ViewEdge edge in view.Graph?.EdgesOf([stack.Id], []) ?? [])
                Console.Error.WriteLine($"    {SafeText.Escape(edge.From)} {edge.Kind} {SafeText.Escape(edge.To ?? "others")} ({edge.Source})");
        }
        return deadlocked.Length > 0 ? 1 : view.Complete ? 0 : 3;
    }
    catch (TargetException unreadable)
    {
        Console.Error.WriteLine($"{name}: {SafeText.Escape(unreadable.Message)}\n{SafeText.Escape(unreadable.Fix)}");
        return 3;
    }
    catch (Exception unreadable) when (unreadable is InvalidDataException or IOException)
    {
        Console.Error.WriteLine($"{name}: {SafeText.Escape(unreadable.Message)}");
        return 3;
    }
}

static StackView Analyzed(string name)
{
    using Target target = Target.Open(name, new TargetOptions());
    return Analyzer.Analyze(target, new AnalysisOptions());
}

static StackView Saved(string path)
{
    using FileStream file = File.OpenRead(path);
    return JsonViewReader.Read(file);
}
