using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Reflection.Metadata;
using Async2.Analysis.Code.Modules;
using Async2.Analysis.Metadata.Awaits;
using Async2.Analysis.Metadata.IL;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Holders.Flow;

/// <summary>The IL of one method, instruction by instruction, with its handlers.</summary>
internal sealed class MethodCode
{
    // A method that a person wrote has less.
    private const int InstructionLimit = 8000;

    private readonly Dictionary<int, ILInstruction> _at = [];
    private readonly Dictionary<int, string> _fields = [];
    private readonly byte[] _il;

    private MethodCode(ModuleMethod method, ILBody body, MethodVariables variables)
    {
        (Method, Handlers, _il) = (method, body.Handlers, body.Bytes);
        Parameters = [.. variables.HasThis ? ["this"] : Array.Empty<string?>(), .. variables.Parameters.Select(parameter => parameter.Name)];
        IsMachine = method.Facts.RawName == "MoveNext";
        var reader = new ILReader(body.Bytes);
        while (reader.MoveNext())
            _at[reader.Current.Offset] = reader.Current;
    }

    public ModuleMethod Method { get; }

    public ImmutableArray<ExceptionRegion> Handlers { get; }

    /// <summary>Names of the arguments, counted with <c>this</c>.</summary>
    public ImmutableArray<string?> Parameters { get; }

    /// <summary>It is the MoveNext of a compiler-made state machine: its variables are fields.</summary>
    public bool IsMachine { get; }

    /// <summary>All of it, in no order.</summary>
    public IReadOnlyCollection<ILInstruction> Instructions => _at.Values;

    /// <summary>The methods that it calls, once for each call.</summary>
    public IEnumerable<CalleeRef> Callees()
        => Instructions.Where(instruction => instruction.IsCall).Select(instruction => Method.Module.Metadata?.CalleeOf(instruction.Token, instruction.OpCode)).OfType<CalleeRef>();

    /// <summary>Null if the IL is nowhere, or too long.</summary>
    public static MethodCode? Of(ModuleMethod method)
    {
        if (method.Module.BodyOf(method.Facts) is not { } body || method.Module.Metadata?.VariablesOf(method.Facts.Token) is not { } variables)
            return null;
        var code = new MethodCode(method, body, variables);
        return code._at.Count is > 0 and <= InstructionLimit ? code : null;
    }

    public bool TryGet(int offset, out ILInstruction instruction) => _at.TryGetValue(offset, out instruction);

    /// <summary>Name of the field that an instruction is about.</summary>
    public string FieldOf(ILInstruction instruction)
    {
        if (!_fields.TryGetValue(instruction.Token, out string? name))
            _fields[instruction.Token] = name = Method.Module.Metadata?.FieldName(instruction.Token) ?? "?";
        return name;
    }

    /// <summary>Where a <c>switch</c> leads to, by the number that it is given.</summary>
    public int[] TargetsOf(ILInstruction table)
    {
        int[] targets = new int[(int)table.Operand];
        for (int i = 0; i < targets.Length; i++)
            targets[i] = table.End + BinaryPrimitives.ReadInt32LittleEndian(_il.AsSpan(table.End - ((targets.Length - i) * sizeof(int))));
        return targets;
    }
}
