using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Async2.Tests.House;

/// <summary>The metadata tokens that a method body names.</summary>
internal static class ILTokens
{
    private static readonly Dictionary<int, OpCode> OpCodesByValue = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value & 0xffff);

    public static IEnumerable<EntityHandle> In(BlobReader il)
    {
        var tokens = new List<EntityHandle>();
        while (il.RemainingBytes > 0)
        {
            int value = il.ReadByte();
            if (value == 0xfe)
                value = 0xfe00 | il.ReadByte();
            ReadOperand(ref il, OpCodesByValue[value].OperandType, tokens);
        }
        return tokens;
    }

    private static void ReadOperand(ref BlobReader il, OperandType operand, List<EntityHandle> tokens)
    {
        switch (operand)
        {
            case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineType or OperandType.InlineTok:
                tokens.Add((EntityHandle)MetadataTokens.Handle(il.ReadInt32()));
                break;
            case OperandType.InlineSwitch:
                int targets = il.ReadInt32();
                il.Offset += targets * 4;
                break;
            default:
                il.Offset += Size(operand);
                break;
        }
    }

    private static int Size(OperandType operand) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };
}
