using System.Text.Json;

namespace Async2.Analysis.Layouts.Descriptions;

/// <summary>
/// Globals of a description: <c>18</c>, <c>["0x20", "int32"]</c>, <c>["a;b", "string"]</c>; <c>[1]</c> or <c>[[1], "pointer"]</c> for an
/// entry of pointer_data; in files <c>{ "symbol": "g_head", "module": "coreclr" }</c>, <c>{ "rva": "0x40", "module": "coreclr" }</c>,
/// <c>{ "address": "0x7f00" }</c>.
/// </summary>
/// <param name="pointers">The contract's pointer_data; null for a file.</param>
/// <param name="parts">Where to put them.</param>
internal sealed class GlobalsPart(IReadOnlyList<ulong>? pointers, DescriptionParts parts)
{
    private const string Pointer = "pointer";

    public void Read(JsonProperty part)
    {
        foreach (JsonProperty global in parts.Once(part.Value, part.Name))
        {
            if (!AsyncLayoutParts.IsGlobal(global.Name))
                parts.Ignored.Add("global " + global.Name);
            else if (global.Value.ValueKind == JsonValueKind.Null)
                parts.Absent.Add(global.Name);
            else if (Global(global.Name, global.Value) is { } read)
                parts.Globals[global.Name] = read;
        }
    }

    private GlobalDescription? Global(string name, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.Object => Place(name, value),
        JsonValueKind.Array => List(name, value),
        _ => Plain(name, value, null),
    };

    private GlobalDescription? List(string name, JsonElement list)
    {
        int length = list.GetArrayLength();
        if (length == 1)
            return Indirect(name, list[0]);
        if (length != 2 || list[1].ValueKind != JsonValueKind.String)
            return InvalidValue(name, list);
        if (list[0].ValueKind != JsonValueKind.Array)
            return Plain(name, list[0], list[1].GetString());
        return list[0].GetArrayLength() == 1 ? Indirect(name, list[0][0]) : InvalidValue(name, list);
    }

    private GlobalDescription? Plain(string name, JsonElement value, string? type)
    {
        if (type != "string" && JsonNumber.Read(value) is { } number)
            return new() { Number = number, Address = type == Pointer ? unchecked((ulong)number) : null };
        if (value.ValueKind != JsonValueKind.String)
            return InvalidValue(name, value);
        if (type is null or "string")
            return new() { Text = value.GetString() };
        parts.Fault($"{name} is {DescriptionParts.Shown(value)}, which is not a valid {type}");
        return null;
    }

    private GlobalDescription? Indirect(string name, JsonElement index)
    {
        if (JsonNumber.Read(index) is not { } number)
            return InvalidValue(name, index);
        if (pointers is null)
        {
            parts.Fault($"{name} is an index of pointer data, which a file does not have; a file says {{ \"symbol\": ..., \"module\": ... }}, {{ \"rva\": ..., \"module\": ... }} or {{ \"address\": ... }}");
            return null;
        }
        if (number >= 0 && number < pointers.Count)
            return new() { Address = pointers[(int)number] };
        parts.Fault(FormattableString.Invariant($"{name} is entry {number} of pointer data, which has {pointers.Count}"));
        return null;
    }

    private GlobalDescription? Place(string name, JsonElement value)
    {
        string? symbol = null, module = null;
        long? rva = null, address = null;
        foreach (JsonProperty part in parts.Once(value, name))
        {
            switch (part.Name)
            {
                case "symbol": symbol = parts.Text(part); break;
                case "module": module = parts.Text(part); break;
                case "rva": rva = JsonNumber.Read(part.Value); break;
                case "address": address = JsonNumber.Read(part.Value); break;
            }
        }
        if (address is { } known && symbol is null && rva is null)
            return new() { Address = unchecked((ulong)known) };
        if (address is null && module is not null && symbol is null != rva is null)
            return new() { Place = new(symbol, unchecked((ulong?)rva), module) };
        return InvalidValue(name, value);
    }

    private GlobalDescription? InvalidValue(string name, JsonElement value)
    {
        parts.Fault($"{name} is {DescriptionParts.Shown(value)}; a global is a value, [value, \"type\"], or an object with symbol and module, rva and module, or address");
        return null;
    }
}
