import Foundation

/// Threads for tests that block: they wait for programs or sockets. On the pool that Swift's tasks
/// share they would keep every other test of the process waiting, and let their deadlines pass.
package final class BlockingExecutor: TaskExecutor {
    private let threads = OperationQueue()

    package init(width: Int) {
        threads.maxConcurrentOperationCount = width
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
