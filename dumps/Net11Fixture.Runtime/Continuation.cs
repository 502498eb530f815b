namespace System.Runtime.CompilerServices;

/// <summary>One suspended method. Offsets from the object: Next 8, ResumeInfo 0x10, Flags 0x18, State 0x1C, data from 0x20.</summary>
public unsafe class Continuation
{
    /// <summary>Where data begins, from behind the method table: as in the original, a literal for debuggers.</summary>
    public const int DataOffset = 0x18;

    public Continuation? Next;
    public ResumeInfo* ResumeInfo;
    public ContinuationFlags Flags;
    public int State;
}

/// <summary>What the JIT's table of a body holds for each suspension point, in native memory.</summary>
public unsafe struct ResumeInfo
{
    public void* Resume;
    public void* DiagnosticIP;
}

/// <summary>Bits 0 to 3, then where in the data contexts, exception and result are: index 1 is the first 8 bytes, 0 says "not there".</summary>
[Flags]
public enum ContinuationFlags
{
    ContinueOnThreadPool = 1,
    ContinueOnCapturedSynchronizationContext = 2,
    ContinueOnCapturedTaskScheduler = 4,
    ValueTaskAdaptedToTask = 8,
    AllContinuationFlags = 7,
    ExecutionContextIndexFirstBit = 4,
    ExecutionContextIndexNumBits = 2,
    ContinuationContextIndexFirstBit = 6,
    ContinuationContextIndexNumBits = 2,
    ExceptionIndexFirstBit = 8,
    ExceptionIndexNumBits = 3,
    ResultIndexFirstBit = 11,
    ResultIndexNumBits = 21,
}
