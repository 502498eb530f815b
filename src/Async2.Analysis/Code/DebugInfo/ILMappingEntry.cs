namespace Async2.Analysis.Code.DebugInfo;

/// <summary>The reason for a bound, as chunked debug info records it (ICorDebugInfo::SourceTypes, as packed).</summary>
[Flags]
internal enum ILMappingSource
{
    None = 0,

    /// <summary>A call instruction; says nothing about the code after it.</summary>
    CallInstruction = 1,

    /// <summary>The IL stack is empty there.</summary>
    StackEmpty = 2,

    /// <summary>The suspension of an await.</summary>
    Async = 4,
}

/// <summary>A native offset of a body and the IL offset whose code begins there; negative IL offsets are prolog and the like.</summary>
/// <param name="Native">Bytes from the start of the body.</param>
/// <param name="IL">IL offset, or ICorDebugInfo's NO_MAPPING -1, PROLOG -2, EPILOG -3.</param>
/// <param name="Source">The reason; not read from flagged debug info, whose bounds are all of one kind.</param>
internal sealed record ILMappingEntry(uint Native, int IL, ILMappingSource Source = ILMappingSource.None);
