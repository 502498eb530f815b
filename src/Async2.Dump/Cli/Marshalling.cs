using System.Runtime.CompilerServices;

// Calls of native code take only what needs no conversion, so that they can be compiled ahead of time.
[assembly: DisableRuntimeMarshalling]
