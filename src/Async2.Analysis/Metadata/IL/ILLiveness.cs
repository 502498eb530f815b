namespace Async2.Analysis.Metadata.IL;

/// <summary>
/// Which variables the IL of a method can still read behind an instruction before it writes them. Ways into exception handlers
/// are not followed, and an address counts as a read.
/// </summary>
internal sealed class ILLiveness
{
    private readonly ILFlow _flow;
    private readonly Dictionary<int, ILInstruction> _instructions = [];

    /// <param name="il">The body; empty if it is unreadable.</param>
    public ILLiveness(ReadOnlySpan<byte> il)
    {
        _flow = new ILFlow(il);
        var reader = new ILReader(il);
        while (reader.MoveNext())
            _instructions[reader.Current.Offset] = reader.Current;
    }

    public bool IsLocalNeeded(int slot, int behind)
        => IsRead(behind, i => ILVariable.Loads(i) == slot || ILVariable.LoadsAddress(i) == slot, i => ILVariable.Stores(i) == slot);

    /// <param name="index">Counted with <c>this</c>.</param>
    public bool IsArgumentNeeded(int index, int behind)
        => IsRead(behind, i => ILVariable.LoadsArgument(i) == index, i => ILVariable.StoresArgument(i) == index);

    private bool IsRead(int behind, Func<ILInstruction, bool> reads, Func<ILInstruction, bool> writes)
    {
        bool found = false;
        _flow.After(behind, next =>
        {
            if (found || !_instructions.TryGetValue(next, out ILInstruction instruction))
                return false;
            found = reads(instruction);
            return !found && !writes(instruction);
        });
        return found;
    }
}
