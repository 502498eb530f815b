using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;

namespace Async2.Analysis.Holders.Flow;

/// <summary>How many values an instruction takes from the stack and puts there, for those without a meaning of their own here.</summary>
internal static class StackEffect
{
    private static readonly Dictionary<ILOpCode, OpCode> Codes = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (ILOpCode)(ushort)code.Value);

    public static void Apply(ILOpCode opCode, FlowState state)
    {
        if (!Codes.TryGetValue(opCode, out OpCode code))
            return;
        for (int i = Popped(code.StackBehaviourPop); i > 0; i--)
            state.Pop();
        if (code.StackBehaviourPush is not (StackBehaviour.Push0 or StackBehaviour.Varpush))
            state.Push(Symbol.Unknown);
    }

    private static int Popped(StackBehaviour behaviour) => behaviour switch
    {
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Pop1_pop1 or StackBehaviour.Popi_pop1 or StackBehaviour.Popi_popi or StackBehaviour.Popi_popi8 or StackBehaviour.Popi_popr4
            or StackBehaviour.Popi_popr8 or StackBehaviour.Popref_pop1 or StackBehaviour.Popref_popi => 2,
        StackBehaviour.Popi_popi_popi or StackBehaviour.Popref_popi_popi or StackBehaviour.Popref_popi_popref or StackBehaviour.Popref_popi_popi8
            or StackBehaviour.Popref_popi_popr4 or StackBehaviour.Popref_popi_popr8 or StackBehaviour.Popref_popi_pop1 => 3,
        _ => 0,
    };
}
