using System.Globalization;
using System.Text;

namespace Async2.Tests.RandomPrograms;

/// <summary>Writes one scenario class: a few methods that call each other, and stacks that come to rest at different awaits.</summary>
internal sealed class ScenarioSource(Dice dice, SiteNumbers sites, string name)
{
    private const int Methods = 12;
    private const int Stacks = 24;

    private static readonly string[] Results = ["Task<int>", "Task<int>", "Task<int>", "ValueTask<int>", "Task", "ValueTask"];
    private static readonly Host[] Hosts =
        [Host.Static, Host.Static, Host.Static, Host.Instance, Host.Virtual, Host.Interface, Host.Struct, Host.Generic, Host.GenericType];

    private readonly StringBuilder _text = new();
    private readonly List<MethodPlan> _methods = [];

    public string Write()
    {
        for (int i = 0; i < Methods; i++)
            _methods.Add(Plan(i));
        Head();
        foreach (Host host in Enum.GetValues<Host>())
            Type(host);
        _text.AppendLine("}");
        return _text.ToString();
    }

    private MethodPlan Plan(int index)
    {
        Host host = index == 0 ? Host.Static : dice.One(Hosts);
        string returns = index == 0 ? "Task<int>" : dice.One(Results);
        int size = index == 0 ? 8 : dice.Chance(40) ? 0 : 1 + dice.Below(7);
        return new MethodPlan(index, string.Create(CultureInfo.InvariantCulture, $"{name}M{index}"), host, returns, size);
    }

    private void Head() => _text.AppendLine(CultureInfo.InvariantCulture, $$"""
        using System;
        using System.Linq;
        using System.Runtime.CompilerServices;
        using System.Threading.Tasks;
        using Scenarios.Support;

        namespace Scenarios.Random;

        [Scenario("a random program")]
        public static class {{name}}
        {
            private static readonly bool Off = Environment.TickCount64 < 0;
            private static readonly bool On = Environment.TickCount64 >= 0;
            private static readonly Base[] Bases = [new Base(), new Second()];
            private static readonly IFace[] Faces = [new FaceA(), new FaceB()];

            public static Task Run(Trail t) => Task.WhenAll(
                Enumerable.Range(0, {{Stacks}}).Select(i => RootAsync(t.Fork("{{name}}/" + i), new Plan({{dice.Below(100000)}} + i))));

            private static async Task<int> RootAsync(Trail t, Plan p)
            {
                int s = await {{_methods[0].Name}}(1, p, {{sites.Trail}});
                if (!p.HasArrived) await {{sites.Trail}}.Gate;
                return s;
            }
        """);

    private void Type(Host host)
    {
        MethodPlan[] methods = [.. _methods.Where(m => m.Host == host)];
        switch (host)
        {
            case Host.Static or Host.Generic:
                Members(methods, "internal static", 1);
                break;
            case Host.Instance:
                InType("sealed class Shop", methods, "internal", "internal static readonly Shop It = new();");
                break;
            case Host.Virtual:
                InType("class Base", methods, "internal virtual");
                InType("sealed class Second : Base", methods, "internal override");
                break;
            case Host.Interface:
                InType("interface IFace", [], "", [.. methods.Select(m => $"{m.Returns} {m.Name}{m.Signature};")]);
                InType("sealed class FaceA : IFace", methods, "public");
                InType("sealed class FaceB : IFace", methods, "IFace.");
                break;
            case Host.Struct:
                InType("readonly struct Value(int v)", methods, "internal", "internal int V => v;");
                break;
            default:
                InType("static class Cell<T>", methods, "internal static");
                break;
        }
    }

    private void InType(string type, MethodPlan[] methods, string modifier, params string[] lines)
    {
        _text.AppendLine(CultureInfo.InvariantCulture, $"    private {type}").AppendLine("    {");
        foreach (string line in lines)
            _text.AppendLine(CultureInfo.InvariantCulture, $"        {line}");
        Members(methods, modifier, 2);
        _text.AppendLine("    }");
    }

    private void Members(MethodPlan[] methods, string modifier, int indent)
    {
        string margin = new(' ', indent * 4);
        foreach (MethodPlan method in methods)
        {
            bool isExplicit = modifier.EndsWith('.');
            string head = isExplicit ? $"async {method.Returns} {modifier}" : $"{modifier} async {method.Returns} ";
            if (dice.Chance(10)) _text.AppendLine(margin + "[MethodImpl(MethodImplOptions.AggressiveInlining)]");
            _text.AppendLine(margin + head + method.Name + method.Signature).AppendLine(margin + "{");
            _text.AppendLine(margin + (method.Host == Host.Struct ? "    int s = a + V;" : "    int s = a;"));
            var awaits = new AwaitSource(dice, sites, Callees(method));
            new BodySource(dice, sites, awaits, _text, indent + 1).Write(method.Size, method.HasValue);
            _text.AppendLine(margin + "}");
        }
    }

    private List<MethodPlan> Callees(MethodPlan method)
    {
        MethodPlan[] later = [.. _methods.Where(m => m.Index > method.Index)];
        var chosen = new List<MethodPlan>();
        for (int i = 0; i < 3 && later.Length > 0; i++)
            chosen.Add(dice.One(later));
        return chosen;
    }
}
