using System.Collections.Immutable;
using Async2.Analysis.Model.Ages;

namespace Async2.Analysis.Model.Frames;

/// <summary>
/// One frame of a logical stack: a method that is suspended (or, for <see cref="FrameKind.Thread"/>, running) and its position.
/// Names come from metadata in C# form and are not yet escaped for any output.
/// </summary>
public sealed record LogicalFrame
{
    /// <summary>What the frame consists of.</summary>
    public required FrameKind Kind { get; init; }

    /// <summary>Full C# form, <c>Shop.Orders.PayAsync(int)</c>, or <c>&lt;unreadable 0x...&gt;</c>.</summary>
    public required string Method { get; init; }

    /// <summary>Declaring type in C# form, <c>Shop.Cache&lt;string&gt;</c>.</summary>
    public string? Type { get; init; }

    /// <summary>Method name without type and parameters, <c>PayAsync</c>; <c>PayAsync.lambda</c> for a lambda in it.</summary>
    public string? Name { get; init; }

    /// <summary>The route that it handles, <c>GET /orders/{id}</c>, if the program is a web server and this is a handler of one route.</summary>
    public string? Endpoint { get; init; }

    /// <summary>File name of the module, <c>Shop.dll</c>.</summary>
    public string? Module { get; init; }

    /// <summary>Metadata token of the method that <see cref="ILOffset"/> belongs to; for a state machine, of its MoveNext. Null if the method is unknown.</summary>
    public int? MethodToken { get; init; }

    /// <summary>Version id (MVID) of the module's build; null if its metadata is unknown.</summary>
    public Guid? ModuleVersion { get; init; }

    /// <summary>Source file from the PDB.</summary>
    public string? File { get; init; }

    /// <summary>1-based source line of the await.</summary>
    public int? Line { get; init; }

    /// <summary>IL offset of the await inside the method body.</summary>
    public int? ILOffset { get; init; }

    /// <summary>Number of the await in the method, from 1, in IL order.</summary>
    public int? AwaitNumber { get; init; }

    /// <summary>How certain <see cref="ILOffset"/> and <see cref="Line"/> are.</summary>
    public Exactness Exactness { get; init; }

    /// <summary>Address of the object behind the frame; null for elided frames.</summary>
    public ulong? Address { get; init; }

    /// <summary>For how long it has been suspended; null if nothing is known of that.</summary>
    public StackAge? Age { get; init; }

    /// <summary>Number of framework frames folded on the inner side of this one; it called them.</summary>
    public int Folded { get; init; }

    /// <summary>Additional information in a few words: <c>disposing what line 122 opened</c>; null for nothing.</summary>
    public string? Note { get; init; }

    /// <summary>It belongs to .NET or the runtime, not to the user.</summary>
    public bool IsFramework { get; init; }

    /// <summary>Arguments, then locals; empty unless requested.</summary>
    public ImmutableArray<LocalValue> Locals { get; init; } = [];
}
