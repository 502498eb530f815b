using System.Globalization;
using System.Text;

namespace Async2.Tests.RandomPrograms;

/// <summary>Writes the statements of one method. In scope: int s, Plan p, Trail t.</summary>
internal sealed class BodySource
{
    private const int DeepestBlock = 3;

    private readonly Dice _dice;
    private readonly AwaitSource _awaits;
    private readonly SiteNumbers _sites;
    private readonly StringBuilder _text;
    private readonly (int Weight, Action<int> Write)[] _statements;
    private string _result = "s";
    private int _loops;
    private int _names;
    private int _indent;

    public BodySource(Dice dice, SiteNumbers sites, AwaitSource awaits, StringBuilder text, int indent)
    {
        (_dice, _sites, _awaits, _text, _indent) = (dice, sites, awaits, text, indent);
        _statements =
        [
            (30, Simple), (10, Several), (6, SeveralLines), (12, If), (6, Switch), (9, Loop), (4, While), (8, Try), (4, Using),
            (6, Stored), (8, Conditional), (4, TaskOfEither), (3, HotLoop), (4, Dead), (4, SwitchExpression), (5, ShortCircuit),
            (5, EarlyReturn), (4, LeaveLoop), (3, Interpolation), (3, LocalFunction), (3, Lambda), (3, Array),
        ];
    }

    /// <summary>Statements of a method that returns a value, or none.</summary>
    public void Write(int size, bool hasValue)
    {
        _result = hasValue ? "s" : "";
        if (size == 0)
        {
            Small(hasValue);
            return;
        }
        Line($"if (p.IsTired()) return {_result};");
        Statements(size, 0);
        Line(!hasValue ? "return;" : _dice.Chance(25) ? $"return {_awaits.Value()};" : "return s;");
    }

    private void Small(bool hasValue)
    {
        if (!hasValue)
            Line($"{_awaits.Statement()};");
        else if (_dice.Chance(30))
            Line($"return {_awaits.Value(0)};");
        else if (_dice.Chance(40))
            Line($"return s + {_awaits.Value(0)};");
        else
            SmallChoice();
    }

    private void SmallChoice()
    {
        Line($"if (p.Pick(2) == 0) return {_awaits.Value(0)};");
        if (_dice.Chance(50)) Line($"s += {_awaits.Value(0)};");
        Line($"return {_awaits.Value(0)}{(_dice.Chance(50) ? " + s" : "")};");
    }

    private void Statements(int count, int depth)
    {
        for (int i = 0; i < count; i++)
        {
            int at = _dice.Below(_statements.Sum(s => s.Weight));
            _statements.First(s => (at -= s.Weight) < 0).Write(depth);
        }
    }

    private void Block(int depth)
    {
        int scope = Open();
        if (depth >= DeepestBlock)
            Simple(depth);
        else
            Statements(1 + _dice.Below(2), depth + 1);
        Close(scope);
    }

    private void Simple(int depth)
    {
        Line(_dice.Chance(25) ? $"{_awaits.Statement()};" : $"s += {_awaits.Value()};");
        if (depth == 0 && _dice.Chance(30)) Line($"s = s * 31 + {_dice.Below(99)};");
    }

    private void Several(int depth) => Line($"s += {_awaits.Value()} + {_awaits.Value(0)}{(_dice.Chance(30) ? $" * {_awaits.Value(0)}" : "")};");

    private void SeveralLines(int depth)
    {
        Line($"s += {_awaits.Value(0)}");
        Line($"    + (p.Pick(2) == 0 ? {_awaits.Value(0)} : 4)");
        Line($"    + {_awaits.Value(0)};");
    }

    private void If(int depth)
    {
        Line($"if (p.Pick({_dice.One([2, 2, 3, 40])}) == 0)");
        Block(depth);
        if (_dice.Chance(60))
        {
            Line("else");
            Block(depth);
        }
    }

    private void Switch(int depth)
    {
        int cases = 2 + _dice.Below(4);
        Line($"switch (p.Pick({cases + 1}))");
        int scope = Open();
        for (int i = 0; i < cases; i++)
        {
            Line($"case {i}:");
            Block(depth + 1);
            Line(_dice.Chance(15) && i + 1 < cases ? $"goto case {i + 1};" : "break;");
        }
        Line($"default: s += {_awaits.Value()}; break;");
        Close(scope);
    }

    private void Loop(int depth)
    {
        string i = Name("i");
        Line(_dice.Chance(20) && depth < 2 ? $"for (int {i} = {_awaits.Value(0)} & 1; {i} < 3; {i}++)" : $"for (int {i} = 0, n{i} = p.Pick(4); {i} < n{i}; {i}++)");
        _loops++;
        Block(depth);
        _loops--;
    }

    private void While(int depth)
    {
        string left = Name("left");
        Line($"int {left} = 3;");
        Line($"while ({left}-- > 0 && {_awaits.Value(0)} != 77)");
        _loops++;
        Block(depth);
        _loops--;
    }

    private void Try(int depth)
    {
        Line("try");
        int scope = Open();
        Statements(1, depth + 1);
        if (_dice.Chance(60)) Line($"if (p.Pick(3) == 0) throw new InvalidOperationException({(_dice.Chance(30) ? $"\"x\" + {_awaits.Value(0)}" : "\"x\"")});");
        Statements(1, depth + 1);
        Close(scope);
        Line(_dice.Chance(30) ? "catch (InvalidOperationException) when (p.Pick(2) <= 2)" : "catch (InvalidOperationException)");
        Block(depth);
        if (_dice.Chance(40))
        {
            Line("finally");
            FinallyBlock();
        }
    }

    // No return or break may leave a finally clause.
    private void FinallyBlock()
    {
        int scope = Open();
        Line($"s += {_awaits.Value()};");
        if (_dice.Chance(50)) Line($"if (p.Pick(2) == 0) {_awaits.Statement()};");
        Close(scope);
    }

    private void Using(int depth)
    {
        string name = Name("lease");
        bool isAsync = _dice.Chance(60);
        Line($"{(isAsync ? "await " : "")}using (var {name} = new Lease(p))");
        int scope = Open();
        Statements(1, depth + 1);
        if (isAsync) Line($"{name}.Arm({_sites.Trail});");
        Close(scope);
    }

    private void Stored(int depth)
    {
        string name = Name("task");
        Line($"Task<int> {name} = {_awaits.TaskOfInt()};");
        Line("s += p.Pick(3);");
        Line(_sites.Again);
        Line($"s += await {name};");
    }

    private void Conditional(int depth) => Line($"s += p.Pick(3) == 0 ? {_awaits.Value()} : {(_dice.Chance(70) ? _awaits.Value() : "5")};");

    private void TaskOfEither(int depth) => Line($"s += await (p.Pick(2) == 0 ? {_awaits.TaskOfInt()} : {_awaits.TaskOfInt()});");

    private void HotLoop(int depth)
    {
        string i = Name("h");
        Line($"for (int {i} = 0; {i} < {_dice.One([2000, 60000])}; {i}++) s = s * 31 + {i};");
    }

    private void Dead(int depth)
    {
        string condition = _dice.One(["Off", "typeof(int) == typeof(string)", "!On", "s.GetType() == typeof(long)"]);
        Line($"if ({condition})");
        Block(depth);
        if (_dice.Chance(50)) Line($"else s += {_awaits.Value(0)};");
    }

    private void SwitchExpression(int depth)
        => Line($"s += p.Pick(4) switch {{ 0 => {_awaits.Value()}, 1 => {_awaits.Value(0)}, 2 => 8, _ => {_awaits.Value(0)} }};");

    private void ShortCircuit(int depth)
    {
        Line($"if ({_awaits.Value(0)} + p.Pick(2) > 2 && {_awaits.Value(0)} != 55 || {_awaits.Value(0)} == 99)");
        Block(depth);
    }

    private void EarlyReturn(int depth)
        => Line($"if (p.Pick(6) == 0) return {(_result.Length == 0 ? "" : _dice.Chance(60) ? _awaits.Value() : $"s + {_awaits.Value()}")};");

    private void LeaveLoop(int depth)
    {
        if (_loops == 0)
            Simple(depth);
        else
            Line($"if (p.Pick(5) == 0) {_dice.One(["break", "continue"])};");
    }

    private void Interpolation(int depth) => Line($"s += $\"{{{_awaits.Value(0)}}}-{{s}}-{{{_awaits.Value(0)}}}\".Length;");

    private void Array(int depth) => Line($"s += new[] {{ {_awaits.Value(0)}, {_awaits.Value(0)}, s }}[p.Pick(3)];");

    private void LocalFunction(int depth)
    {
        string name = Name("Local");
        Line($"async Task<int> {name}(int a, Plan p, Trail t)");
        Nested();
        _awaits.AddLocal(name);
        Line($"s += await {name}(s, p, {_sites.Trail});");
    }

    private void Lambda(int depth)
    {
        string name = Name("lambda");
        Line($"Func<int, Plan, Trail, Task<int>> {name} = async (int a, Plan p, Trail t) =>");
        Nested(";");
        Line($"s += await {name}(s, p, {_sites.Trail});");
    }

    private void Nested(string end = "")
    {
        int scope = Open();
        Line("int s = a;");
        Line($"s += {_awaits.Value(0)};");
        if (_dice.Chance(50)) Line($"if (p.Pick(2) == 0) s += {_awaits.Value(0)};");
        Line(_dice.Chance(30) ? $"return {_awaits.Value(0)};" : "return s;");
        Close(scope, end);
    }

    private int Open()
    {
        Line("{");
        _indent++;
        return _awaits.Locals;
    }

    private void Close(int scope, string end = "")
    {
        _awaits.Locals = scope;
        _indent--;
        Line("}" + end);
    }

    private string Name(string stem) => string.Create(CultureInfo.InvariantCulture, $"{stem}{++_names}");

    private void Line(string text) => _text.Append(' ', _indent * 4).AppendLine(text);
}
