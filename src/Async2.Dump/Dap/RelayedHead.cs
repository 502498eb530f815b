using System.Text.Json;

namespace Async2.Dump.Dap;

/// <summary>The part of a message that a relay needs; it comes first, and the rest is not parsed.</summary>
/// <param name="Seq">Its number.</param>
/// <param name="RequestSeq">Number of the request that it answers; null for an event.</param>
/// <param name="IsInitialized">It is the event that opens a session.</param>
internal readonly record struct RelayedHead(int Seq, int? RequestSeq, bool IsInitialized = false)
{
    public static RelayedHead Of(ReadOnlySpan<byte> message)
    {
        var reader = new Utf8JsonReader(message);
        int seq = 0;
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isSeq = reader.ValueTextEquals("seq"u8), isAnswer = reader.ValueTextEquals("request_seq"u8), isEvent = reader.ValueTextEquals("event"u8);
            reader.Read();
            if (isSeq)
                seq = reader.GetInt32();
            else if (isAnswer)
                return new(seq, reader.GetInt32());
            else if (isEvent)
                return new(seq, null, reader.ValueTextEquals("initialized"u8));
        }
        return new(seq, null);
    }
}
