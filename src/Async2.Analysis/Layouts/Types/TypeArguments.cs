using Async2.Analysis.Targets.Memory;

namespace Async2.Analysis.Layouts.Types;

/// <summary>
/// The exact type arguments of an object's class. ClrMD gives the types of fields in shared generic code as
/// <c>System.__Canon</c>; the method table of the object knows better.
/// Offsets are of 64-bit coreclr 10.0.12 (src/coreclr/vm/methodtable.h); callers have to check the answer.
/// </summary>
internal static class TypeArguments
{
    // MethodTable::m_pPerInstInfo: a table of dictionaries, one for each generic class from the root down.
    private const int PerInstInfo = 0x30;

    // GenericsDictInfo lies right before that table: { u32 padding; u16 dictionaries; u16 type parameters of this class }.
    private const int DictionaryCount = -4;
    private const int ParameterCount = -2;
    private const int DictionaryLimit = 32;
    private const int ParameterLimit = 1024;

    /// <summary>Type handle of the last argument of a generic class; 0 if it is unreadable or invalid.</summary>
    public static ulong Last(TargetMemory memory, ulong methodTable)
    {
        if (memory.PointerSize != sizeof(ulong) || !memory.TryReadPointer(methodTable + PerInstInfo, out ulong table)
            || !memory.TryReadUInt16(unchecked(table + (ulong)DictionaryCount), out ushort dictionaries)
            || !memory.TryReadUInt16(unchecked(table + (ulong)ParameterCount), out ushort parameters)
            || dictionaries is 0 or > DictionaryLimit || parameters is 0 or > ParameterLimit
            || !memory.TryReadPointer(table + ((dictionaries - 1u) * sizeof(ulong)), out ulong dictionary))
            return 0;
        return memory.TryReadPointer(dictionary + ((parameters - 1u) * sizeof(ulong)), out ulong handle) ? handle : 0;
    }
}
