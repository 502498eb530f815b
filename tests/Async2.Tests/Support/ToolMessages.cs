using System.Runtime.CompilerServices;
using Async2.Dump.Cli;

namespace Async2.Tests.Support;

/// <summary>Tests that ask the library read what the tool would say; what it says by itself, the samples show.</summary>
internal static class ToolMessages
{
    [ModuleInitializer]
    internal static void Begin() => ToolHost.Register();
}
