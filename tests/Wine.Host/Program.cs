// Stands for dotnet.exe in Wine, which is in no package: "dotnet PROGRAM.dll ARGUMENTS" runs a program that needs nothing but the framework and what lies beside it.
using System.Reflection;
using System.Runtime.Loader;

string program = Path.GetFullPath(args[0]);
AssemblyLoadContext.Default.Resolving += (context, name) =>
{
    string beside = Path.Join(Path.GetDirectoryName(program), name.Name + ".dll");
    return File.Exists(beside) ? context.LoadFromAssemblyPath(beside) : null;
};
MethodInfo entry = AssemblyLoadContext.Default.LoadFromAssemblyPath(program).EntryPoint!;
object? code = entry.Invoke(null, BindingFlags.DoNotWrapExceptions, null, entry.GetParameters().Length == 0 ? [] : [args[1..]], null);
return code is int number ? number : 0;
