using System.Reflection;
using System.Runtime.ExceptionServices;
using System.Runtime.Loader;

namespace Sos.Host;

/// <summary>Loads extensions and runs their commands; whatever goes wrong is a line, and the host goes on.</summary>
internal sealed class MiniHost
{
    private readonly string _folder;
    private readonly Assembly _contracts;
    private readonly Services _services;
    private readonly Dictionary<string, Type> _commands = [];

    /// <param name="major">Which host to be.</param>
    public MiniHost(int major)
    {
        _folder = Path.Join(AppContext.BaseDirectory, "hosts", $"{major}");
        _contracts = AssemblyLoadContext.Default.LoadFromAssemblyPath(Path.Join(_folder, "Microsoft.Diagnostics.DebugServices.dll"));
        _services = new Services(_contracts);
    }

    /// <summary>Offers a service of the contracts, made of a class of the double.</summary>
    public void Offer(string contract, string implementation, params object[] arguments)
        => _services.Add(Contract(contract), Activator.CreateInstance(Contract(implementation), arguments)!);

    public void Offer(object service) => _services.Add(service.GetType(), service);

    public void Load(string path)
    {
        try
        {
            Register(new ExtensionLoadContext(path, _folder).LoadFromAssemblyPath(path));
            Console.WriteLine($"Loading extension {Path.GetFileName(path)}");
        }
        catch (Exception e) when (e is InvalidOperationException or IOException or BadImageFormatException or ArgumentException)
        {
            Console.WriteLine($"Extension load failure - {e.Message}");
        }
    }

    public void Run(string line)
    {
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        try
        {
            if (!_commands.TryGetValue(words[0], out Type? type))
                Console.WriteLine($"Unrecognized SOS command '{words[0]}'");
            else if (Refusal(type) is { } refusal)
                Console.WriteLine($"ERROR: {refusal}");
            else
                Invoke(type, words[1..]);
        }
        catch (Exception e)
        {
            // Hosts print a DiagnosticsException and take any other kind for a crash.
            Console.WriteLine(e.GetType().Name == "DiagnosticsException" || e is InvalidOperationException ? $"ERROR: {e.Message}" : $"CRASH: {e}");
        }
    }

    private void Register(Assembly extension)
    {
        foreach (Type type in extension.GetExportedTypes())
        {
            _services.Register(type);
            if (_services.Attribute(type, "CommandAttribute") is not { } command)
                continue;
            _commands[(string)command.GetType().GetField("Name")!.GetValue(command)!] = type;
            foreach (string alias in (string[])command.GetType().GetField("Aliases")!.GetValue(command)!)
                _commands[alias] = type;
        }
    }

    private string? Refusal(Type type)
    {
        foreach (MethodInfo method in type.GetMethods(BindingFlags.Static | BindingFlags.Public))
        {
            if (_services.Attribute(method, "FilterInvokeAttribute") is not { } filter)
                continue;
            object?[] arguments = [.. method.GetParameters().Select(parameter => _services.Find(parameter.ParameterType))];
            if (!(bool)method.Invoke(null, arguments)!)
                return (string)filter.GetType().GetField("Message")!.GetValue(filter)!;
        }
        return null;
    }

    private void Invoke(Type type, string[] words)
    {
        object command = _services.Create(type);
        _services.Import(command);
        CommandLine.Set(command, words, _services);
        MethodInfo invoke = type.GetMethods().Single(method => _services.Attribute(method, "CommandInvokeAttribute") is not null);
        try
        {
            invoke.Invoke(command, null);
        }
        catch (TargetInvocationException e)
        {
            ExceptionDispatchInfo.Throw(e.InnerException!);
        }
    }

    private Type Contract(string name) => _contracts.GetType("Microsoft.Diagnostics.DebugServices." + name, throwOnError: true)!;
}
