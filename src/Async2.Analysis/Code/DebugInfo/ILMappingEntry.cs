namespace Async2.Analysis.Code.DebugInfo;

/// <summary>Why a bound is there, as chunked debug info says it (ICorDebugInfo::SourceTypes, as packed).</summary>
[Flags]
internal enum ILMappingSource
{
    None = 0,

    /// <summary>The instruction of a call; says nothing of the code behind it.</summary>
    CallInstruction = 1,

    /// <summary>IL has nothing on its stack there.</summary>
    StackEmpty = 2,

    /// <summary>The suspension of an await.</summary>
    Async = 4,
}

/// <summary>A native offset of a body and the IL offset whose code begins there; negative IL offsets are prolog and the like.</summary>
/// <param name="Native">Bytes from the start of the body.</param>
/// <param name="IL">IL offset, or ICorDebugInfo's NO_MAPPING -1, PROLOG -2, EPILOG -3.</param>
/// <param name="Source">Why; not read from flagged debug info, whose bounds are all of one kind.</param>
internal sealed record ILMappingEntry(uint Native, int IL, ILMappingSource Source = ILMappingSource.None);
