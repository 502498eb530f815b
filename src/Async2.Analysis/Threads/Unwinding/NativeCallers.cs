using Async2.Analysis.Targets;
using Async2.Analysis.Targets.Libraries;

namespace Async2.Analysis.Threads.Unwinding;

/// <summary>
/// Leads from native code to the managed code that called it. The runtime notes its calls of native code in frames of its own, except the short ones: helpers
/// that store a reference, cast or find a thread's variables, and functions without a transition, such as those that ask for the time or copy memory. Of a thread that
/// stands in one of them the data access library finds no managed frame, or only those below the last noted call. The compiler's tables for exceptions tell who called (.eh_frame, on Windows .pdata).
/// </summary>
/// <param name="target">A target of x64.</param>
internal sealed class NativeCallers(Target target) : IDisposable
{
    // From a helper of the runtime it is one to ten.
    private const int FrameLimit = 200;

    // Of libraries that are in no list of modules: the kernel's own in each process has two pages of code; of a dump, the one that loads the others, with some forty.
    private const int UnnamedPages = 64;
    private const ulong PageSize = 4096;

    private readonly Dictionary<ulong, NativeModule?> _modules = [];
    private ulong[]? _bases;

    /// <summary>The frame of the managed code that called native code; null if none is found.</summary>
    /// <param name="context">The registers of the thread, a CONTEXT. It is not in the code of a managed method.</param>
    /// <param name="isWhole">The way was followed to that code, or to the beginning of the thread: there is no managed code then.</param>
    public NativeFrame? Find(ReadOnlySpan<byte> context, out bool isWhole)
    {
        isWhole = true;
        NativeFrame frame = NativeFrame.Of(context);
        for (int i = 0; i < FrameLimit; i++)
        {
            if (i > 0 && IsManaged(frame))
                return frame;
            if (CallerOf(frame, out isWhole) is not { } caller)
                return null;
            frame = caller;
        }
        isWhole = false;
        return null;
    }

    public void Dispose()
    {
        foreach (NativeModule? module in _modules.Values)
            module?.Dispose();
    }

    private NativeFrame? CallerOf(NativeFrame frame, out bool isWhole)
    {
        NativeFrame? caller = Described(frame, out isWhole);
        return frame.WasCalling || isWhole || (caller is not null && IsCode(caller)) ? caller : MethodSearch.CallerOf(frame, IsManaged, target.TryReadShown) ?? caller;
    }

    private NativeFrame? Described(NativeFrame frame, out bool isWhole)
    {
        switch (ModuleAt(frame.Inside))
        {
            case ElfModule module:
                return CallerOf(frame, module, out isWhole);
            case PeModule module:
                return WindowsFrame.CallerOf(frame, FunctionTable.Of(module), module.Bias, target.TryReadShown, out isWhole);
            default:
                isWhole = false;
                // Helpers that the runtime writes itself are in no library and change no register; only managed code calls them.
                return !frame.WasCalling && frame.CallerOfLeaf(target.TryReadShown) is { } leaf && IsManaged(leaf) ? leaf : null;
        }
    }

    private NativeFrame? CallerOf(NativeFrame frame, ElfModule module, out bool isWhole)
    {
        isWhole = false;
        if (FrameDescription.Find(module, frame.Inside) is not { } description)
            return !frame.WasCalling && LinkageJump.IsAt(frame.Instruction, module.TryRead) ? frame.CallerOfLeaf(target.TryReadShown) : null;
        if (CallFrame.At(description, frame.Inside) is not { } rules)
            return null;
        isWhole = rules.IsOutermost;
        return isWhole ? null : frame.CallerBy(rules, description.IsSignal, target.TryReadShown);
    }

    private bool IsCode(NativeFrame frame) => IsManaged(frame) || ModuleAt(frame.Inside) is not null;

    private bool IsManaged(NativeFrame frame) => target.Runtime.GetMethodByInstructionPointer(frame.Inside) is not null;

    private NativeModule? ModuleAt(ulong instruction)
    {
        _bases ??= [.. target.Runtime.DataTarget.EnumerateModules().Select(module => module.ImageBase).Order()];
        int index = Array.BinarySearch(_bases, instruction);
        ulong known = index >= 0 ? instruction : ~index > 0 ? _bases[~index - 1] : 0;
        return Contains(Open(known), instruction) ?? Unnamed(instruction);
    }

    private NativeModule? Unnamed(ulong instruction)
    {
        ulong page = instruction & ~(PageSize - 1);
        for (int i = 0; i < UnnamedPages && page > (ulong)i * PageSize; i++)
        {
            if (Contains(Open(page - ((ulong)i * PageSize)), instruction) is { } module)
                return module;
        }
        return null;
    }

    private static NativeModule? Contains(NativeModule? module, ulong instruction) => module?.Contains(instruction) == true ? module : null;

    private NativeModule? Open(ulong imageBase)
    {
        if (imageBase != 0 && !_modules.ContainsKey(imageBase))
            _modules[imageBase] = NativeModules.At(target, imageBase);
        return _modules.GetValueOrDefault(imageBase);
    }
}
