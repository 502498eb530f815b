using Async2.Analysis.Formatting;

namespace Async2.Tests.Formatting;

/// <summary>SQL that differs only in its values is the same statement.</summary>
public sealed class SqlShapeTests
{
    [Theory]
    [InlineData("select pg_sleep(100000) -- invoice 17 ...", "select pg_sleep(?)")]
    [InlineData("/* GET /orders/17 */ SELECT * FROM t42 WHERE id = 17 AND name = 'O''Brien'", "SELECT * FROM t42 WHERE id = ? AND name = ?")]
    [InlineData("select * from orders where id in (1, 2,3) and price > 1.5e3", "select * from orders where id in (?, ...) and price > ?")]
    [InlineData("select a1, \"b2\" from t where x = $1 and y = @p2 and z = :p3 and w = 0x1F", "select a1, \"b2\" from t where x = $1 and y = @p2 and z = :p3 and w = ?")]
    [InlineData("insert into t values (1, 'it -- is'), (2, 'b')", "insert into t values (?, ...), (?, ...)")]
    [InlineData("select 'cut in the mid", "select ?")]
    [InlineData("select 1 /* cut", "select ?")]
    [InlineData("", "")]
    public void Values_and_comments_are_left_out(string sql, string expected) => Assert.Equal(expected, SqlShape.Of(sql));
}
