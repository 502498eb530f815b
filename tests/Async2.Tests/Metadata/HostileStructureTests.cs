using System.Collections.Immutable;
using System.Diagnostics;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Async2.Analysis.Metadata;
using Async2.Analysis.Metadata.Signatures;
using Async2.Analysis.Metadata.Symbols;

namespace Async2.Tests.Metadata;

/// <summary>Well-formed bytes that say something impossible: what random damage seldom hits.</summary>
public class HostileStructureTests
{
    private readonly MetadataBuilder _builder = new();

    public HostileStructureTests() =>
        _builder.AddModule(0, _builder.GetOrAddString("Evil.dll"), _builder.GetOrAddGuid(Guid.NewGuid()), default, default);

    [Theory]
    [InlineData(0x0F)] // pointer to pointer to ...
    [InlineData(0x1D)] // array of array of ...
    [InlineData(0x1F)] // modifiers without end
    [InlineData(0x1B)] // function pointers
    [InlineData(0x15)] // generic instances
    public void A_signature_nested_without_end_costs_only_the_parameters(byte code)
    {
        var signature = Enumerable.Repeat(code, 500_000).ToArray();
        signature[0] = 0;
        signature[1] = 1;
        signature[2] = 1;
        Assert.Equal("Evil.Type.Run(\u2026)", NameOfMethodWith(signature));
    }

    [Theory]
    [InlineData(new byte[] { 0x00, 0xDF, 0xFF, 0xFF, 0xFF, 0x01 })] // half a billion parameters
    [InlineData(new byte[] { 0x10, 0xDF, 0xFF, 0xFF, 0xFF, 0xDF, 0xFF, 0xFF, 0xFF, 0x01 })]
    [InlineData(new byte[] { 0x00, 0x01, 0x01, 0x14, 0x08, 0xDF, 0xFF, 0xFF, 0xFF })] // array rank
    [InlineData(new byte[] { 0x06, 0x01 })] // a field
    [InlineData(new byte[] { })]
    public void A_signature_that_claims_too_much_costs_only_the_parameters(byte[] signature)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal("Evil.Type.Run(\u2026)", NameOfMethodWith(signature));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 10_000_000);
    }

    [Fact]
    public void Types_nested_in_each_other_have_no_names()
    {
        AddModuleType();
        AddMethod("Run", [0, 0, 1]);
        var a = AddType("A", 1);
        var b = AddType("B", 2);
        _builder.AddNestedType(a, b);
        _builder.AddNestedType(b, a);
        Assert.Null(Open().NameOf(0x06000001));
    }

    [Fact]
    public void References_nested_in_each_other_cost_only_the_parameters()
    {
        _builder.AddTypeReference(MetadataTokens.TypeReferenceHandle(2), default, _builder.GetOrAddString("A"));
        _builder.AddTypeReference(MetadataTokens.TypeReferenceHandle(1), default, _builder.GetOrAddString("B"));
        // void Run(class [TypeRef 1]): coded index 1 << 2 | 1
        Assert.Equal("Evil.Type.Run(\u2026)", NameOfMethodWith([0, 1, 1, 0x12, 5]));
    }

    [Fact]
    public void A_long_name_is_cut()
    {
        AddModuleType();
        AddMethod(new string('x', 10_000), [0, 0, 1]);
        AddType("Type", 1);
        var name = Open().NameOf(0x06000001)!;
        Assert.Equal(CappedText.MaxLength, name.Full.Length);
        Assert.EndsWith(CappedText.CutMark, name.Name, StringComparison.Ordinal);
    }

    [Fact]
    public void A_module_with_an_absurd_name_is_refused()
    {
        AddModuleType();
        AddMethod(new string('x', 100_000), [0, 0, 1]);
        AddType("Type", 1);
        Assert.Null(ModuleMetadata.Open(Bytes()));
    }

    [Fact]
    public void Names_of_brackets_only_do_not_take_long()
    {
        AddModuleType();
        AddMethod(new string('<', 16_000), [0, 0, 1]);
        AddMethod(string.Concat(Enumerable.Repeat("<a>g__", 2_500)), [0, 0, 1]);
        AddMethod(string.Concat(Enumerable.Repeat("<", 5_000).Concat(Enumerable.Repeat(">b__", 2_500))), [0, 0, 1]);
        AddType("Type", 1);
        var clock = Stopwatch.StartNew();
        var module = Open();
        for (var token = 0x06000001; token <= 0x06000003; token++) Assert.NotNull(module.NameOf(token));
        Assert.InRange(clock.ElapsedMilliseconds, 0, 1000);
    }

    [Fact]
    public void A_state_machine_that_starts_itself_still_has_a_name()
    {
        AddModuleType();
        var moveNext = AddMethod("MoveNext", [0x20, 0, 1]);
        AddType("<PayAsync>d__5", 1);
        var attributeType = _builder.AddTypeReference(
            default(AssemblyReferenceHandle), _builder.GetOrAddString("System.Runtime.CompilerServices"), _builder.GetOrAddString("AsyncStateMachineAttribute"));
        var constructor = _builder.AddMemberReference(attributeType, _builder.GetOrAddString(".ctor"), _builder.GetOrAddBlob(new byte[] { 0x20, 1, 1, 14 }));
        var value = new BlobBuilder();
        value.WriteUInt16(1);
        value.WriteSerializedString("Evil.<PayAsync>d__5");
        value.WriteUInt16(0);
        _builder.AddCustomAttribute(moveNext, constructor, _builder.GetOrAddBlob(value));
        Assert.Equal("Evil.<PayAsync>d__5.PayAsync", Open().NameOf(0x06000001)!.Full);
    }

    [Fact]
    public void A_document_name_made_of_a_thousand_large_parts_is_shortened()
    {
        var tables = new MetadataBuilder();
        var part = tables.GetOrAddBlobUTF8(new string('a', 100_000));
        var list = new BlobBuilder();
        list.WriteByte((byte)'/');
        for (var i = 0; i < 10_000; i++) list.WriteCompressedInteger(MetadataTokens.GetHeapOffset(part));
        var document = tables.AddDocument(tables.GetOrAddBlob(list), default, default, default);
        // No locals; offset 0, no more lines, 5 more columns, line 7, column 1.
        tables.AddMethodDebugInformation(document, tables.GetOrAddBlob(new byte[] { 0, 0, 0, 5, 7, 1 }));
        var rows = ImmutableArray.Create(new int[MetadataTokens.TableCount]).SetItem((int)TableIndex.MethodDef, 1);
        var bytes = new BlobBuilder();
        new PortablePdbBuilder(tables, rows, default).Serialize(bytes);
        var line = PortablePdb.Open(bytes.ToArray())!.LineOf(0x06000001, 0)!;
        Assert.Equal((CappedText.MaxLength, 7), (line.Document.Length, line.Line));
    }

    private string NameOfMethodWith(byte[] signature)
    {
        AddModuleType();
        AddMethod("Run", signature);
        AddType("Type", 1);
        return Open().NameOf(0x06000001)!.Full;
    }

    private void AddModuleType() => AddType("<Module>", 1);

    private TypeDefinitionHandle AddType(string name, int firstMethod) => _builder.AddTypeDefinition(
        TypeAttributes.Public, _builder.GetOrAddString("Evil"), _builder.GetOrAddString(name), default,
        MetadataTokens.FieldDefinitionHandle(1), MetadataTokens.MethodDefinitionHandle(firstMethod));

    private MethodDefinitionHandle AddMethod(string name, byte[] signature) => _builder.AddMethodDefinition(
        MethodAttributes.Public, MethodImplAttributes.IL, _builder.GetOrAddString(name), _builder.GetOrAddBlob(signature), -1, default);

    private ModuleMetadata Open() => ModuleMetadata.Open(Bytes())!;

    private byte[] Bytes()
    {
        var bytes = new BlobBuilder();
        new MetadataRootBuilder(_builder, suppressValidation: true).Serialize(bytes, 0, 0);
        return bytes.ToArray();
    }
}
