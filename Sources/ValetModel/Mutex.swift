#if SANITIZED
    import Glibc

    /// A lock that ThreadSanitizer sees: that of the language is a futex here, which it doesn't
    /// know, so that it would report each value behind one as a race.
    package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        private let lock: UnsafeMutablePointer<pthread_mutex_t>
        private let value: UnsafeMutablePointer<Value>

        package init(_ initial: consuming sending Value) {
            lock = .allocate(capacity: 1)
            value = .allocate(capacity: 1)
            pthread_mutex_init(lock, nil)
            value.initialize(to: initial)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
            value.deinitialize(count: 1)
            value.deallocate()
        }

        package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }

        package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result? {
            guard pthread_mutex_trylock(lock) == 0 else { return nil }
            defer { pthread_mutex_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#else
    import Synchronization

    /// The language's lock. Files take it from here, since `Scripts/sanitize` puts another there.
    package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
