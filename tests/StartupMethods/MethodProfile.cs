using System.IO.Compression;
using System.Reflection;
using System.Reflection.Emit;

namespace StartupMethods;

/// <summary>
/// A list of methods in the form that crossgen2 reads (<c>--mibc</c>): an assembly whose global method <c>AssemblyDictionary</c> names
/// groups, each a global method that consists of <c>ldtoken METHOD, pop</c>; here packed into a zip file. A group is read only when all
/// assemblies in its name are compiled together, so each group has the name of the one image that its methods shall be put into.
/// </summary>
internal static class MethodProfile
{
    private const string Dictionary = "AssemblyDictionary";

    // Code for types of one library stays with that library; what is the framework's only can stand anywhere.
    private static readonly string[] Homes = ["dotnet-async2", "Async2.Analysis", "Spectre.Console", "System.CommandLine", "Microsoft.Diagnostics.Runtime", "Iced"];
    private const string AnyHome = "Async2.Analysis";

    /// <summary>Adds methods to those that a file has; makes the file if there is none.</summary>
    public static void Add(string file, IEnumerable<MethodBase> methods)
    {
        IEnumerable<MethodBase> before = File.Exists(file) ? Read(file) : [];
        var all = before.Concat(methods).Where(IsInstance).DistinctBy(Name).OrderBy(Name, StringComparer.Ordinal).ToArray();
        using var image = new MemoryStream();
        Assemble(all).Save(image);
        using ZipArchive zip = new(File.Create(file), ZipArchiveMode.Create);
        using Stream entry = zip.CreateEntry(EntryName(file), CompressionLevel.SmallestSize).Open();
        image.WriteTo(entry);
    }

    // All others are compiled ahead of time anyway.
    private static bool IsInstance(MethodBase method) => method.IsGenericMethod || method.DeclaringType!.IsGenericType;

    private static string EntryName(string file) => Path.GetFileName(file) + ".dll";

    private static string Name(MethodBase method) => $"{method.DeclaringType}::{method}";

    private static PersistedAssemblyBuilder Assemble(IEnumerable<MethodBase> methods)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(nameof(StartupMethods)), typeof(object).Assembly);
        ModuleBuilder module = assembly.DefineDynamicModule(nameof(StartupMethods));
        ILGenerator groups = Global(module, Dictionary).GetILGenerator();
        foreach (var group in methods.GroupBy(Home).OrderBy(group => group.Key, StringComparer.Ordinal))
        {
            MethodBuilder members = Global(module, "Group_" + group.Key);
            Fill(module, members.GetILGenerator(), group);
            groups.Emit(OpCodes.Ldstr, group.Key + ";");
            groups.Emit(OpCodes.Ldtoken, members);
            groups.Emit(OpCodes.Pop);
        }
        groups.Emit(OpCodes.Ret);
        module.CreateGlobalFunctions();
        return assembly;
    }

    private static MethodBuilder Global(ModuleBuilder module, string name)
        => module.DefineGlobalMethod(name, MethodAttributes.Public | MethodAttributes.Static, typeof(void), Type.EmptyTypes);

    private static void Fill(ModuleBuilder module, ILGenerator code, IEnumerable<MethodBase> methods)
    {
        foreach (MethodBase method in methods)
        {
            // By its number: of constructors the generator wants to know how they are called.
            code.Emit(OpCodes.Ldtoken, method is ConstructorInfo constructor ? module.GetMethodMetadataToken(constructor) : module.GetMethodMetadataToken((MethodInfo)method));
            code.Emit(OpCodes.Pop);
        }
        code.Emit(OpCodes.Ret);
    }

    private static string Home(MethodBase method)
    {
        var assemblies = new HashSet<string?>();
        Type[] types = [method.DeclaringType!, .. method is MethodInfo { IsGenericMethod: true } ? method.GetGenericArguments() : []];
        foreach (Type type in types)
            AddAssemblies(type, assemblies);
        return Homes.FirstOrDefault(assemblies.Contains) ?? AnyHome;
    }

    private static void AddAssemblies(Type type, HashSet<string?> assemblies)
    {
        if (type.GetElementType() is { } element)
        {
            AddAssemblies(element, assemblies);
            return;
        }
        assemblies.Add(type.Assembly.GetName().Name);
        foreach (Type argument in type.GetGenericArguments())
            AddAssemblies(argument, assemblies);
    }

    // Methods that are gone since then are left out.
    private static List<MethodBase> Read(string file)
    {
        using ZipArchive zip = ZipFile.OpenRead(file);
        using var image = new MemoryStream();
        using (Stream entry = zip.Entries.Single().Open())
            entry.CopyTo(image);
        Module module = Assembly.Load(image.ToArray()).ManifestModule;
        var found = new List<MethodBase>();
        foreach (MethodInfo group in module.GetMethods().Where(method => method.Name != Dictionary))
        {
            byte[] code = group.GetMethodBody()!.GetILAsByteArray()!;
            // ldtoken (FE is not its prefix: D0 and four bytes), pop.
            for (int at = 0; at + 5 < code.Length; at += 6)
                Resolve(module, BitConverter.ToInt32(code, at + 1), found);
        }
        return found;
    }

    private static void Resolve(Module module, int token, List<MethodBase> found)
    {
        try
        {
            if (module.ResolveMethod(token) is { DeclaringType: not null } method)
                found.Add(method);
        }
        catch (Exception exception) when (exception is MissingMemberException or TypeLoadException or FileNotFoundException or ArgumentException or BadImageFormatException)
        {
        }
    }
}
