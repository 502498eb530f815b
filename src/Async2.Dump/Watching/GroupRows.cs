using Async2.Analysis.Model;
using Async2.Analysis.Model.Frames;
using Async2.Analysis.Rendering.Text;
using Async2.Analysis.Watching;

namespace Async2.Dump.Watching;

/// <summary>The list of groups: how many, their trend, what became of them, how old, and where they are. A wide screen has a trend that goes back further, and more of each place.</summary>
/// <param name="screen">Where to.</param>
/// <param name="width">Columns.</param>
internal sealed class GroupRows(ScreenLines screen, int width)
{
    private const int Mark = 2;
    private const int Count = 7;
    private const int State = 11;
    private const int Oldest = 9;
    private const int Wide = 120;

    private int Trend => width < Wide ? Math.Clamp(width / 10, 0, 10) : 24;

    private int Rest => Math.Max(0, width - Mark - Count - 1 - Trend - 2 - State - Oldest - 2);

    private int Method => width < Wide ? Math.Min(Rest, Math.Max(16, Rest * 6 / 10)) : Rest * 35 / 100;

    private int Wait => width < Wide ? Rest - Method - 1 : Rest * 30 / 100;

    /// <summary>The titles of the columns.</summary>
    public void WriteTitles()
    {
        screen.Cell(TextRole.Dim, "", Mark);
        screen.Cell(TextRole.Dim, "stacks", Count, right: true);
        Gap();
        screen.Cell(TextRole.Dim, "trend", Trend);
        Gap(2);
        screen.Cell(TextRole.Dim, "since last", State);
        screen.Cell(TextRole.Dim, "oldest", Oldest, right: true);
        Gap(2);
        screen.Cell(TextRole.Dim, "where", Method);
        Gap();
        screen.Cell(TextRole.Dim, "waits for", Math.Max(0, Wait));
        if (width >= Wide)
            screen.Write(TextRole.Dim, " for whom");
        screen.Line();
    }

    /// <summary>A group.</summary>
    public void Write(WatchGroup group, bool isSelected)
    {
        LogicalStack stack = group.Stack;
        screen.Cell(TextRole.Heading, isSelected ? ">" : group.IsAccused ? "!" : "", Mark);
        screen.Cell(TextRole.Count, DisplayText.Number(stack.Count), Count, right: true);
        Gap();
        screen.Cell(TextRole.Dim, TrendText.Of(group.Trend, Trend, screen.Surface.Ascii), Trend);
        Gap(2);
        string state = WatchWords.State(group);
        screen.Cell(stack.State == StackState.Deadlocked ? TextRole.Error : state == "moving" ? TextRole.Good : TextRole.Plain, stack.State == StackState.Deadlocked ? "deadlocked" : state, State);
        screen.Cell(TextRole.Plain, WatchWords.Oldest(group), Oldest, right: true);
        Gap(2);
        screen.Cell(stack.Idle is null ? TextRole.Method : TextRole.Dim, Place(stack), Method);
        Gap();
        screen.Cell(TextRole.Wait, StackEnds.WaitOf(stack) ?? DisplayText.Of(stack.State), Math.Max(0, Wait));
        if (width >= Wide && LabelLine.Of(stack) is { } labels)
        {
            Gap();
            screen.Cell(TextRole.Dim, labels, Math.Max(0, width - screen.Column));
        }
        if (isSelected)
            screen.SelectedLine();
        else
            screen.Line();
    }

    // The innermost method of the program, which is what its people know.
    private string Place(LogicalStack stack)
    {
        if (stack.Idle is { } idle)
            return idle;
        LogicalFrame? frame = stack.Frames.FirstOrDefault(frame => !frame.IsFramework) ?? stack.Frames.FirstOrDefault();
        if (frame is null)
            return "(unknown code)";
        string place = LocationText.Of(frame);
        MethodText method = MethodText.Split(screen.Safe(frame.Method));
        string name = method.TypeAndName;
        // The line is left out before the name is cut.
        return name.Length + 2 + place.Length <= Method ? $"{name}  {place}" : name.Length <= Method ? name : method.Fit(Method, screen.Surface.Ellipsis).Name;
    }

    private void Gap(int columns = 1) => screen.Write(new string(' ', columns));
}
