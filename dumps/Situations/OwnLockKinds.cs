namespace Situations;

#pragma warning disable CA1001, CA1822 // Shapes of code, not a library.
/// <summary>The locks of <see cref="OwnLocks"/>.</summary>
public static partial class OwnLocks
{
    /// <summary>A flag, and methods to enter and exit.</summary>
    private sealed class QueueLock
    {
        private readonly Queue<TaskCompletionSource> _waiters = new();
        private bool _taken;

        public Task EnterAsync()
        {
            lock (_waiters)
            {
                if (!_taken)
                {
                    _taken = true;
                    return Task.CompletedTask;
                }
                var waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _waiters.Enqueue(waiter);
                return waiter.Task;
            }
        }

        public void Exit()
        {
            lock (_waiters)
            {
                if (_waiters.TryDequeue(out TaskCompletionSource? next))
                    next.SetResult();
                else
                    _taken = false;
            }
        }
    }

    /// <summary>What it returns releases it.</summary>
    private sealed class ReleaserLock
    {
        private readonly LinkedList<TaskCompletionSource<IDisposable>> _queue = new();
        private readonly IDisposable _releaser;
        private bool _isHeld;

        public ReleaserLock() => _releaser = new Releaser(this);

        public Task<IDisposable> LockAsync(CancellationToken token = default)
        {
            token.ThrowIfCancellationRequested();
            lock (_queue)
            {
                if (!_isHeld)
                {
                    _isHeld = true;
                    return Task.FromResult(_releaser);
                }
                var own = new TaskCompletionSource<IDisposable>(TaskCreationOptions.RunContinuationsAsynchronously);
                _queue.AddLast(own);
                return own.Task;
            }
        }

        private void Free()
        {
            TaskCompletionSource<IDisposable>? next = null;
            lock (_queue)
            {
                if (_queue.First is { } first)
                {
                    next = first.Value;
                    _queue.RemoveFirst();
                }
                else
                {
                    _isHeld = false;
                }
            }
            next?.TrySetResult(_releaser);
        }

        private sealed class Releaser(ReleaserLock owner) : IDisposable
        {
            public void Dispose() => owner.Free();
        }
    }

    private sealed class WaitQueue
    {
        private readonly List<TaskCompletionSource<bool>> _all = [];

        public bool IsEmpty => _all.Count == 0;

        public Task Enqueue()
        {
            var source = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            _all.Add(source);
            return source.Task;
        }

        public void Dequeue()
        {
            TaskCompletionSource<bool> source = _all[0];
            _all.RemoveAt(0);
            source.TrySetResult(true);
        }
    }

    /// <summary>Who waits does so in its own async method.</summary>
    private sealed class PatientLock
    {
        private readonly WaitQueue _queue = new();
        private readonly object _sync = new();
        private bool _taken;

        public async Task EnterAsync()
        {
            Task waiter;
            lock (_sync)
            {
                if (!_taken)
                {
                    _taken = true;
                    return;
                }
                waiter = _queue.Enqueue();
            }
            await waiter;
        }

        public void Leave()
        {
            lock (_sync)
            {
                if (_queue.IsEmpty)
                    _taken = false;
                else
                    _queue.Dequeue();
            }
        }
    }

    /// <summary>Counts what is free.</summary>
    private sealed class CountLock(int count)
    {
        private readonly Queue<TaskCompletionSource<bool>> _waiters = new();
        private int _count = count;

        public Task WaitAsync()
        {
            lock (_waiters)
            {
                if (_count > 0)
                {
                    --_count;
                    return Task.CompletedTask;
                }
                var waiter = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                _waiters.Enqueue(waiter);
                return waiter.Task;
            }
        }

        public void Release()
        {
            TaskCompletionSource<bool>? next = null;
            lock (_waiters)
            {
                if (_waiters.Count > 0)
                    next = _waiters.Dequeue();
                else
                    ++_count;
            }
            next?.SetResult(true);
        }
    }

    /// <summary>Many readers or one writer: each kind takes it by a field of its own.</summary>
    private sealed class SharedLock
    {
        private readonly Queue<TaskCompletionSource> _writers = new();
        private readonly List<TaskCompletionSource> _readers = [];
        private int _reading;
        private bool _writing;

        public Task ReadAsync()
        {
            lock (_writers)
            {
                if (!_writing && _writers.Count == 0)
                {
                    _reading++;
                    return Task.CompletedTask;
                }
                var own = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _readers.Add(own);
                return own.Task;
            }
        }

        public Task WriteAsync()
        {
            lock (_writers)
            {
                if (!_writing && _reading == 0)
                {
                    _writing = true;
                    return Task.CompletedTask;
                }
                var own = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                _writers.Enqueue(own);
                return own.Task;
            }
        }

        public void Leave()
        {
            lock (_writers)
            {
                if (_writing)
                    _writing = false;
                else
                    _reading--;
                if (_reading > 0)
                    return;
                if (_writers.TryDequeue(out TaskCompletionSource? next))
                {
                    _writing = true;
                    next.SetResult();
                    return;
                }
                _reading = _readers.Count;
                foreach (TaskCompletionSource reader in _readers)
                    reader.SetResult();
                _readers.Clear();
            }
        }
    }

    /// <summary>Not a lock, though it is made of the same: an event that wakes one.</summary>
    private sealed class Bell
    {
        private readonly Queue<TaskCompletionSource<bool>> _waits = new();
        private bool _isSet;

        public Task WaitAsync()
        {
            lock (_waits)
            {
                if (_isSet)
                {
                    _isSet = false;
                    return Task.CompletedTask;
                }
                var own = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                _waits.Enqueue(own);
                return own.Task;
            }
        }

        public void Set()
        {
            TaskCompletionSource<bool>? woken = null;
            lock (_waits)
            {
                if (_waits.Count > 0)
                    woken = _waits.Dequeue();
                else
                    _isSet = true;
            }
            woken?.SetResult(true);
        }
    }
}
