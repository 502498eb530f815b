using System.Collections.Immutable;
using System.Text;
using Async2.Analysis.Metadata.Signatures;

namespace Async2.Analysis.Metadata.Names;

/// <summary>
/// Reads the two spellings of constructed types: ClrMD's <c>A&lt;B, C&gt;+D</c> and reflection's <c>A`2+D[[B, asm],[C, asm]]</c>.
/// One pass over the text, recursion only for type arguments and only to a fixed depth.
/// </summary>
internal sealed class RuntimeNameParser
{
    private const int MaxDepth = 32;
    private const int MaxInput = 16 * 1024;

    private readonly string _text;
    private int _at;

    private RuntimeNameParser(string text) => _text = text;

    /// <summary>A type in C# form, and its type arguments.</summary>
    public readonly record struct Parsed(string Text, ImmutableArray<string> Arguments);

    public static Parsed Parse(string runtimeName)
    {
        var cut = runtimeName.Length > MaxInput;
        var parser = new RuntimeNameParser(cut ? runtimeName[..MaxInput] : runtimeName);
        var type = parser.ParseType(0);
        // What the grammar does not know is shown rather than lost.
        var rest = cut ? CappedText.CutMark : parser._text[parser._at..];
        return new Parsed(CappedText.Cap(type.Text + rest), type.Arguments);
    }

    private Parsed ParseType(int depth)
    {
        if (depth > MaxDepth)
        {
            _at = _text.Length;
            return new Parsed(CappedText.CutMark, []);
        }

        var name = new ConstructedName();
        do name.AddSegment(ReadSegmentName());
        while (ReadArguments(name, depth) && Accept('+'));

        var text = new StringBuilder(name.ToCSharp());
        ReadSuffixes(text);
        return new Parsed(text.ToString(), name.AllArguments);
    }

    /// <summary>
    /// A name up to <c>+</c> or type arguments. An angle bracket where a name begins belongs to the name: the compiler's own
    /// names look like <c>&lt;PayAsync&gt;d__5</c>.
    /// </summary>
    private string ReadSegmentName()
    {
        var start = _at;
        var atStart = true;
        while (_at < _text.Length)
        {
            var c = _text[_at];
            if (c == '<' && atStart) SkipBalancedBrackets();
            else if ("<>[],+*&".Contains(c, StringComparison.Ordinal)) break;
            else _at += c == '\\' && _at + 1 < _text.Length ? 2 : 1;
            atStart = c == '.';
        }

        return _text[start.._at].Trim();
    }

    private void SkipBalancedBrackets()
    {
        var open = 0;
        do
        {
            if (_text[_at] == '<') open++;
            else if (_text[_at] == '>') open--;
            _at++;
        }
        while (open > 0 && _at < _text.Length);
    }

    /// <summary>Reads arguments if they are next. Always true: what follows decides whether the type goes on.</summary>
    private bool ReadArguments(ConstructedName name, int depth)
    {
        if (Accept('<')) ReadList(name, '>', depth);
        else if (Peek(0) == '[' && !IsArray()) { _at++; ReadList(name, ']', depth); }
        return true;
    }

    private void ReadList(ConstructedName name, char close, int depth)
    {
        do
        {
            SkipSpaces();
            var qualified = close == ']' && Accept('[');
            name.AddArgument(ParseType(depth + 1).Text);
            if (qualified) SkipAssemblyName();
        }
        while (Accept(','));
        Accept(close);
    }

    /// <summary>In <c>[System.String, System.Private.CoreLib, Version=...]</c> everything from the comma on.</summary>
    private void SkipAssemblyName()
    {
        var end = _text.IndexOf(']', _at);
        _at = end < 0 ? _text.Length : end + 1;
    }

    private void ReadSuffixes(StringBuilder text)
    {
        var arrays = new StringBuilder();
        while (_at < _text.Length)
        {
            if (Accept('*')) { text.Append(arrays).Append('*'); arrays.Clear(); }
            else if (Accept('&')) text.Insert(0, "ref ");
            else if (Peek(0) == '[' && IsArray()) arrays.Insert(0, ReadRank());
            else break;
        }

        text.Append(arrays);
    }

    private string ReadRank()
    {
        var start = _at;
        _at = _text.IndexOf(']', _at) + 1;
        return _text[start.._at].Replace("*", "", StringComparison.Ordinal);
    }

    private bool IsArray()
    {
        var i = _at + 1;
        while (i < _text.Length && _text[i] is ',' or '*') i++;
        return i < _text.Length && _text[i] == ']';
    }

    private char Peek(int ahead) => _at + ahead < _text.Length ? _text[_at + ahead] : '\0';

    private bool Accept(char c)
    {
        if (Peek(0) != c) return false;
        _at++;
        return true;
    }

    private void SkipSpaces()
    {
        while (Peek(0) == ' ') _at++;
    }
}
