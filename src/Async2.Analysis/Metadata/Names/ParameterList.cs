using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>The parameters of a method as C# writes them, without their names: <c>int</c>, <c>out string</c>.</summary>
internal sealed class ParameterList(MetadataReader reader, MethodDefinition method, TypeText text)
{
    /// <summary>More are never shown: the name is cut before.</summary>
    private const int MaxShown = 256;

    public ImmutableArray<string> Read()
    {
        var signature = new SignatureReader(reader, method.Signature).ReadMethod();
        var attributes = AttributesByPosition(signature.Parameters.Length);
        var shown = ImmutableArray.CreateBuilder<string>();
        for (var i = 0; i < signature.Parameters.Length && i < MaxShown; i++)
        {
            var type = signature.Parameters[i];
            if (!IsClosure(type)) shown.Add(Show(type, attributes[i]));
        }

        return shown.ToImmutable();
    }

    private ParameterAttributes[] AttributesByPosition(int count)
    {
        var attributes = new ParameterAttributes[count];
        // One row per parameter and one for the return value; a damaged table may give the method the rows of all others.
        foreach (var handle in method.GetParameters().Take(count + 1))
        {
            var parameter = reader.GetParameter(handle);
            // Number 0 is the return value.
            if (parameter.SequenceNumber >= 1 && parameter.SequenceNumber <= count)
                attributes[parameter.SequenceNumber - 1] = parameter.Attributes;
        }

        return attributes;
    }

    /// <summary>Local functions get the variables they use as a last <c>ref</c> parameter that nobody wrote.</summary>
    private static bool IsClosure(TypeSig type) =>
        type is { Kind: TypeSigKind.ByRef } && type.Parts[0] is { Kind: TypeSigKind.Named, Type: { } id }
        && id.Path[^1].StartsWith("<>c__DisplayClass", StringComparison.Ordinal);

    private string Show(TypeSig type, ParameterAttributes attributes)
    {
        var shown = text.Of(type);
        if (type.Kind != TypeSigKind.ByRef) return shown;
        // "in" and "out" are the same reference to the runtime; only the parameter's attributes distinguish them.
        return (attributes & (ParameterAttributes.In | ParameterAttributes.Out)) switch
        {
            ParameterAttributes.Out => "out" + shown[3..],
            ParameterAttributes.In => "in" + shown[3..],
            _ => shown,
        };
    }
}
