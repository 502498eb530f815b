using System.Reflection;
using System.Reflection.Metadata;

namespace Async2.Analysis.Metadata.Signatures;

/// <summary>
/// Which assemblies are a framework's and not the user's: those signed with the keys of .NET and its libraries, and of test frameworks, which
/// stand between the user's test and the program that runs it. Names and folders do not tell: a program may be published into one folder with its
/// framework, and be called System.Something.
/// </summary>
internal static class FrameworkKeys
{
    // Public key tokens: System.Private.CoreLib, "Open", ECMA, .NET, Windows desktop, ASP.NET Core and Extensions.
    private static readonly HashSet<string> Tokens = new(StringComparer.Ordinal)
    {
        "7cec85d7bea7798e", "cc7b13ffcd2ddd51", "b77a5c561934e089", "b03f5f7f11d50a3a", "31bf3856ad364e35", "adb9793829ddae60",
        // xunit, NUnit and its adapter, TUnit; MSTest and the platforms have a key of .NET.
        "8d05b1bb7a6fdb6c", "2638cd05610744eb", "4cb40d35494691ac", "b8d4030011dbd70c",
    };

    public static bool Signed(MetadataReader reader)
    {
        if (!reader.IsAssembly) return false;
        var key = reader.GetBlobBytes(reader.GetAssemblyDefinition().PublicKey);
        return key.Length > 0 && Tokens.Contains(TokenOf(key));
    }

    // Not SHA1.HashData: that would load a cryptography library of the system, which takes longer than all else about names.
    private static string TokenOf(byte[] key)
    {
        var name = new AssemblyName();
        name.SetPublicKey(key);
        return Convert.ToHexString(name.GetPublicKeyToken() ?? []).ToLowerInvariant();
    }
}
