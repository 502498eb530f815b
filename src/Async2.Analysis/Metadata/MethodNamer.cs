using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Metadata.Names;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata;

/// <summary>
/// Makes the C# form of a method out of its metadata. Throws what the metadata reader throws; <see cref="ModuleMetadata"/> is the
/// door that catches.
/// </summary>
internal sealed class MethodNamer(MetadataReader reader, Lazy<StateMachineMap> stateMachines, ClosureMakers makers)
{
    private const int MaxDepth = 8;

    /// <param name="typeArguments">C# names for the type parameters of the declaring type; null or unknown ones keep their own name.</param>
    /// <param name="methodArguments">The same for those of the method.</param>
    public MethodName NameOf(
        MethodDefinitionHandle handle, IReadOnlyList<string?>? typeArguments, IReadOnlyList<string?>? methodArguments)
        => NameOf(handle, typeArguments, methodArguments, depth: 0);

    private MethodName NameOf(
        MethodDefinitionHandle handle, IReadOnlyList<string?>? typeArguments, IReadOnlyList<string?>? methodArguments, int depth)
    {
        var method = reader.GetMethodDefinition(handle);
        var rawName = reader.GetString(method.Name);
        var machine = method.GetDeclaringType();
        if (rawName == "MoveNext" && GeneratedName.IsStateMachine(reader.GetString(reader.GetTypeDefinition(machine).Name)))
            return NameOfStateMachine(handle, machine, typeArguments, depth);

        var scope = MethodScope.Of(reader, method, typeArguments, methodArguments);
        scope = Around(scope, handle, machine, rawName);
        var special = (method.Attributes & MethodAttributes.SpecialName) != 0;
        var name = scope.IsInHiddenType && !rawName.StartsWith('<')
            ? GeneratedName.MemberOfHiddenType(scope.RawTypeName, rawName)
            : GeneratedName.ReadableMethod(rawName, scope.OwnerSimpleName, special);
        if (GeneratedName.IsBasicLambda(rawName) && Name(makers.AroundLambda(handle), depth) is { } outer) name = $"{outer}.{name}";
        var parameters = UntrustedBytes.Read<ImmutableArray<string>?>(reader, () => new ParameterList(reader, method, scope.Text).Read());
        return Compose(scope, name, parameters, MetadataTokens.GetToken(handle));
    }

    /// <summary>
    /// A machine is named after the method that starts it. Its type parameters are those of the method's type, then those of the
    /// method. Without the attribute (trimmed away) the machine's own name still has the method's name, only not its parameters.
    /// </summary>
    private MethodName NameOfStateMachine(
        MethodDefinitionHandle moveNext, TypeDefinitionHandle machine, IReadOnlyList<string?>? arguments, int depth)
    {
        var kickoff = stateMachines.Value.KickoffOf(TypeTable.Of(reader, machine));
        if (!kickoff.IsNil && reader.GetString(reader.GetMethodDefinition(kickoff).Name) != "MoveNext")
        {
            var owner = reader.GetMethodDefinition(kickoff).GetDeclaringType();
            var ofType = reader.GetTypeDefinition(owner).GetGenericParameters().Count;
            return NameOf(kickoff, arguments?.Take(ofType).ToArray(), arguments?.Skip(ofType).ToArray(), depth);
        }

        var scope = Around(MethodScope.Of(reader, reader.GetMethodDefinition(moveNext), arguments, null), moveNext, machine, "");
        var rawName = reader.GetString(reader.GetTypeDefinition(machine).Name);
        var name = GeneratedName.ReadableMethod(rawName, scope.OwnerSimpleName, isSpecial: false);
        return Compose(scope, name, null, MetadataTokens.GetToken(moveNext)) with { Full = CappedText.Cap($"{scope.Owner}.{name}") };
    }

    // F# puts what it makes into the module, whatever type the code around it is in.
    private MethodScope Around(MethodScope scope, MethodDefinitionHandle method, TypeDefinitionHandle type, string rawName)
    {
        var around = GeneratedName.FSharpName(ArityName.Parse(scope.RawTypeName).Name) is null ? default : makers.AroundType(type);
        if (around.IsNil || around == method || rawName == ".ctor") return scope;
        var owner = MethodScope.Of(reader, reader.GetMethodDefinition(around), null, null);
        return owner.Owner == scope.Owner ? scope : scope with { Owner = owner.Owner, OwnerSimpleName = owner.OwnerSimpleName, Namespace = owner.Namespace };
    }

    // C# has the name in the lambda's; that of a state machine is its method's.
    // Lambdas in lambdas; metadata that is damaged could lead back.
    private string? Name(MethodDefinitionHandle method, int depth)
        => method.IsNil || depth == MaxDepth ? null : NameOf(method, null, null, depth + 1).Name;

    private static MethodName Compose(MethodScope scope, string name, ImmutableArray<string>? parameters, int token) => new()
    {
        Full = CappedText.Cap($"{scope.Owner}.{WithArguments(scope, name)}{Parameters(parameters)}"),
        TypeName = CappedText.Cap(scope.Owner),
        Name = CappedText.Cap(name),
        Namespace = CappedText.Cap(scope.Namespace),
        Token = token,
    };

    /// <summary>
    /// The type arguments of a lambda's outer method stand behind that method's name: <c>GetAsync&lt;T&gt;.lambda</c>.
    /// </summary>
    private static string WithArguments(MethodScope scope, string name)
    {
        var dot = scope.OuterMethodArguments.IsEmpty || name.StartsWith('<') ? -1 : name.LastIndexOf('.');
        if (dot > 0) name = name.Insert(dot, AngleBrackets(scope.OuterMethodArguments));
        return name + AngleBrackets(scope.MethodArguments);
    }

    private static string AngleBrackets(ImmutableArray<string> arguments) =>
        arguments.IsEmpty ? "" : "<" + string.Join(", ", arguments) + ">";

    /// <summary>A signature that cannot be read must not look like one without parameters.</summary>
    private static string Parameters(ImmutableArray<string>? parameters) =>
        parameters is { } known ? "(" + string.Join(", ", known) + ")" : "(" + CappedText.CutMark + ")";
}
