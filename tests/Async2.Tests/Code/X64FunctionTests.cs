using Async2.Analysis.Code.Decoding;

namespace Async2.Tests.Code;

/// <summary>What small native functions read, without running them: those of coreclr 10.0.12 in which counts of collections are found.</summary>
public sealed class X64FunctionTests
{
    private const ulong Code = 0x1000;
    private const ulong Data = 0x9000;

    // test edx, edx; je +0xd; cmp esi, 2; jne +0x26 (not here); mov eax, [rip]; pop rbp; ret; xor eax, eax; cmp esi, 2; jg +0x18;
    // movsxd rax, esi; imul rax, rax, 0xa8; lea rcx, [rip+...]; mov eax, [rax+rcx+0x58]; pop rbp; ret
    private static readonly byte[] WorkstationCount =
    [
        0x55, 0x48, 0x89, 0xe5, 0x85, 0xd2, 0x74, 0x0d, 0x83, 0xfe, 0x02, 0x75, 0x26, 0x8b, 0x05, 0, 0, 0, 0, 0x5d, 0xc3,
        0x31, 0xc0, 0x83, 0xfe, 0x02, 0x7f, 0x18, 0x48, 0x63, 0xc6, 0x48, 0x69, 0xc0, 0xa8, 0, 0, 0, 0x48, 0x8d, 0x0d, 0xd3, 0x7f, 0, 0, 0x8b, 0x44, 0x08, 0x58, 0x5d, 0xc3,
    ];

    // push rbp; mov rbp, rsp; lea rax, [rip+...]; cmp dword [rax+0x1c], 0; setne al; pop rbp; ret
    private static readonly byte[] IsConcurrent = [0x55, 0x48, 0x89, 0xe5, 0x48, 0x8d, 0x05, 0xf5, 0x7f, 0, 0, 0x83, 0x78, 0x1c, 0x00, 0x0f, 0x95, 0xc0, 0x5d, 0xc3];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void The_count_of_a_generation_is_where_the_function_reads_it(int generation)
    {
        X64Load load = Assert.Single(X64Function.Loads(Code, Read(WorkstationCount), [0, (ulong)generation, 0])!);
        Assert.Equal(Data + 0x58 + (ulong)(generation * 0xa8), load.Address);
    }

    [Fact]
    public void What_is_compared_is_read() => Assert.Equal(Data + 0x1c, Assert.Single(X64Function.Loads(Code, Read(IsConcurrent), [0])!).Address);

    [Fact]
    public void A_function_that_reads_nothing_has_no_loads() => Assert.Empty(X64Function.Loads(Code, Read([0x31, 0xc0, 0xc3]), [])!);

    [Theory]
    [InlineData(0x0f, 0x05)] // syscall
    [InlineData(0xeb, 0xfe)] // jmp to itself
    [InlineData(0xe8, 0x00, 0x00, 0x00, 0x00, 0xc3)] // call
    [InlineData(0x89, 0x07, 0xc3)] // mov [rdi], eax
    [InlineData(0x5d, 0x5d, 0xc3)] // more popped than pushed
    public void What_is_not_understood_has_no_answer(params int[] code) => Assert.Null(X64Function.Loads(Code, Read([.. code.Select(one => (byte)one)]), [0]));

    [Fact]
    public void What_cannot_be_read_has_no_answer() => Assert.Null(X64Function.Loads(Code, (_, _) => null, []));

    private static Func<ulong, int, ulong?> Read(byte[] code) => (address, bytes) =>
    {
        ulong value = 0;
        for (int i = bytes - 1; i >= 0; i--)
        {
            ulong place = address + (ulong)i - Code;
            value = value << 8 | (place < (ulong)code.Length ? code[place] : (byte)0);
        }
        return value;
    };
}
