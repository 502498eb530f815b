using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json.Serialization;
using Async2.Analysis.Model.Frames;

namespace Async2.Analysis.Rendering.Json;

/// <summary>A frame of one stack.</summary>
internal sealed record FrameRecord : FrameFields
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public FrameRecord()
    {
    }

    [SetsRequiredMembers]
    internal FrameRecord(LogicalFrame frame)
        : base(frame)
    {
        (Endpoint, IlOffset, Note) = (frame.Endpoint, frame.ILOffset, frame.Note);
        Token = frame.MethodToken is { } token ? string.Create(CultureInfo.InvariantCulture, $"0x{token:x8}") : null;
        Mvid = frame.ModuleVersion?.ToString();
        Address = WireRecords.Hex(frame.Address);
        Framework = frame.IsFramework ? true : null;
        Locals = frame.Locals.IsDefaultOrEmpty ? null : frame.Locals.Select(local => new LocalRecord(local.Name, local.Type, local.Value));
    }

    [JsonPropertyOrder(2)]
    [Description("Route that it handles, GET /orders/{id}.")]
    public string? Endpoint { get; init; }

    [JsonPropertyOrder(4)]
    public int? IlOffset { get; init; }

    [JsonPropertyOrder(4)]
    [Description("Metadata token of the method that ilOffset is in; of a state machine that of its MoveNext.")]
    public string? Token { get; init; }

    [JsonPropertyOrder(4)]
    [Description("Version id of the module's build.")]
    public string? Mvid { get; init; }

    [JsonPropertyOrder(6)]
    [Description("Address of the object behind the frame.")]
    public string? Address { get; init; }

    [JsonPropertyOrder(7)]
    [Description("True for a frame of .NET or of the runtime.")]
    public bool? Framework { get; init; }

    [JsonPropertyOrder(8)]
    [Description("What else a reader must know of it: a timeout with which it waits, an await that the compiler made.")]
    public string? Note { get; init; }

    [JsonPropertyOrder(8)]
    [Description("Arguments, then locals; with --locals.")]
    public IEnumerable<LocalRecord>? Locals { get; init; }
}

/// <summary>An argument or a local of a frame, as text in C# form.</summary>
internal sealed record LocalRecord
{
    /// <summary>For reading.</summary>
    [JsonConstructor]
    public LocalRecord()
    {
    }

    [SetsRequiredMembers]
    internal LocalRecord(string name, string? type, string value) => (Name, Type, Value) = (name, type, value);

    public required string Name { get; init; }

    public string? Type { get; init; }

    public required string Value { get; init; }
}
