Imports System.Threading
Imports System.Threading.Channels
Imports Situations

' Async methods as the compiler of Visual Basic makes them; each await notes its own line. See dumps/README.md.
Public Module Program
    Private ReadOnly Orders As Channel(Of Integer) = Channel.CreateBounded(Of Integer)(10)
    Private ReadOnly Till As New SemaphoreSlim(0)

    Public Function Main() As Integer
        Marks.Keep(ServeAsync("bread"))
        Marks.Keep(New Shop(Till).PackAsync(3))
        Marks.Keep(LendAsync("pan"))
        Dim waiter As New Thread(Sub() BlockAsync().Wait()) With {.IsBackground = True}
        waiter.Start()
        Thread.Sleep(500)
        Console.Out.WriteLine(Marks.ToJson())
        Console.Out.WriteLine($"ready {Environment.ProcessId}")
        Console.Out.Flush()
        While Console.In.ReadLine() IsNot Nothing
        End While
        Environment.Exit(0)
        Return 0
    End Function

    Private Async Function ServeAsync(item As String) As Task
        Dim count = item.Length
        Dim order = Await NextAsync(count).At("serve")
        GC.KeepAlive($"{item} {count} {order}")
    End Function

    Private Async Function NextAsync(count As Integer) As Task(Of Integer)
        Await Task.Delay(1)
        For i = 1 To count
            If i = 2 Then
                Dim order = Await Orders.Reader.At("next").ReadAsync()
                Return order + count
            End If
            Await Task.Yield()
        Next
        Return 0
    End Function

    Private Async Function LendAsync(Of T)(item As T) As Task(Of T)
        Try
            Await Task.Delay(Timeout.Infinite.At("lend"))
        Finally
            GC.KeepAlive(item)
        End Try
        Return item
    End Function

    Private Async Function BlockAsync() As Task
        Await Till.At("block").WaitAsync()
        GC.KeepAlive(Till)
    End Function
End Module

Public Class Shop
    Private ReadOnly _till As SemaphoreSlim

    Public Sub New(till As SemaphoreSlim)
        _till = till
    End Sub

    Public Async Function PackAsync(pieces As Integer) As Task(Of Integer)
        Dim pay = Async Function(price As Integer) As Task(Of Integer)
                      Await _till.At("lambda").WaitAsync()
                      Return price * pieces
                  End Function
        Dim paid = Await pay(7).At("pack")
        Return paid + pieces
    End Function
End Class
