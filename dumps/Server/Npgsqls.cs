using Npgsql;

namespace Server;

/// <summary>A pool of two connections, both busy, and three that want one.</summary>
public static class Npgsqls
{
    /// <param name="where">Connection string, without the pool's size.</param>
    public static async Task StartAsync(string where)
    {
        NpgsqlDataSource source = NpgsqlDataSource.Create(where + ";Maximum Pool Size=2;Timeout=600;Command Timeout=0");
        Marks.Keep(source);
        for (int i = 0; i < 2; i++)
            Marks.Keep(QueryAsync(source));
        await Task.Delay(2000);
        for (int i = 0; i < 3; i++)
            Marks.Keep(QueryAsync(source));
        await Idle.SettleAsync();
    }

    private static async Task<object?> QueryAsync(NpgsqlDataSource source)
    {
        await using NpgsqlConnection connection = await source.OpenConnectionAsync().At("open");
        await using var command = new NpgsqlCommand("select pg_sleep(100000),\n  'the second line'", connection);
        object? result = await command.ExecuteScalarAsync().At("query");
        return result ?? "nothing";
    }
}
