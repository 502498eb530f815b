using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Symbols;

/// <summary>A local variable's name while IL offsets are in a scope.</summary>
/// <param name="Slot">Number of the local in its method's signature of locals.</param>
/// <param name="Start">First IL offset of the scope.</param>
/// <param name="End">First IL offset behind it.</param>
internal readonly record struct ScopedLocal(int Slot, string Name, int Start, int End)
{
    public bool Covers(int ilOffset) => ilOffset >= Start && ilOffset < End;
}

/// <summary>The locals of one method that have names, from a portable PDB, outer scopes first.</summary>
internal sealed class MethodLocals
{
    // Far beyond what a compiler makes of a method that a person wrote.
    private const int ScopeLimit = 4096;
    private const int LocalLimit = 16 * 1024;

    private readonly List<ScopedLocal> _locals = [];

    /// <summary>Token of the signature of the locals in the module; 0 for none.</summary>
    public int SignatureToken { get; private init; }

    public static MethodLocals Read(MetadataReader reader, MethodDebugInformationHandle method)
    {
        StandaloneSignatureHandle signature = reader.GetMethodDebugInformation(method).LocalSignature;
        var locals = new MethodLocals { SignatureToken = signature.IsNil ? 0 : MetadataTokens.GetToken(signature) };
        foreach (LocalScopeHandle handle in reader.GetLocalScopes(method).Take(ScopeLimit))
        {
            LocalScope scope = reader.GetLocalScope(handle);
            foreach (LocalVariableHandle variable in scope.GetLocalVariables())
            {
                LocalVariable local = reader.GetLocalVariable(variable);
                if (locals._locals.Count < LocalLimit && (local.Attributes & LocalVariableAttributes.DebuggerHidden) == 0)
                    locals._locals.Add(new(local.Index, CappedText.Cap(reader.GetString(local.Name)), scope.StartOffset, scope.EndOffset));
            }
        }
        return locals;
    }

    /// <summary>Those whose scope covers an offset.</summary>
    public IEnumerable<ScopedLocal> At(int ilOffset) => _locals.Where(l => l.Covers(ilOffset));

    /// <summary>Those whose slot has one name in the whole method: right wherever the method stopped.</summary>
    public IEnumerable<ScopedLocal> Unambiguous()
        => _locals.GroupBy(l => l.Slot).Where(g => g.DistinctBy(l => l.Name).Count() == 1).Select(g => g.First()).DistinctBy(l => l.Name);
}
