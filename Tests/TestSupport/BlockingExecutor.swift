import NIOPosix

/// Threads for tests that block: they wait for programs or sockets. On the pool that Swift's tasks
/// share they would keep every other test of the process waiting, and let their deadlines pass.
/// Dispatch has no more threads than cores while those compute, so it can't lend them.
package final class BlockingExecutor: TaskExecutor {
    private let threads: NIOThreadPool

    package init(width: Int) {
        threads = NIOThreadPool(numberOfThreads: width)
        threads.start()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { [self] _ in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
