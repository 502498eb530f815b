using Microsoft.Diagnostics.Runtime;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// Bytes of a field. ClrMD's own <c>Size</c> asks for the field's type first, and when the runtime has not noted that, as for most references, it looks for
/// the type's name in all modules: that was two thirds of the time of a whole analysis.
/// </summary>
internal static class FieldSize
{
    /// <param name="field">The field.</param>
    /// <param name="pointerSize">Of the target.</param>
    public static int Of(ClrInstanceField field, int pointerSize) => field.ElementType switch
    {
        ClrElementType.Boolean or ClrElementType.Int8 or ClrElementType.UInt8 => sizeof(byte),
        ClrElementType.Char or ClrElementType.Int16 or ClrElementType.UInt16 => sizeof(short),
        ClrElementType.Int32 or ClrElementType.UInt32 or ClrElementType.Float => sizeof(int),
        ClrElementType.Int64 or ClrElementType.UInt64 or ClrElementType.Double => sizeof(long),
        _ => field.IsObjectReference ? pointerSize : field.Size,
    };
}
