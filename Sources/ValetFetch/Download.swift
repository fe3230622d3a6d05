import Foundation
import Synchronization
import ValetModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads a document over http or https.
///
/// The address is the catalog's, so it is trusted; nothing that comes from there is. All of it is
/// bounded: the redirects, the time to the first byte and in all, and the bytes, counted after they
/// were decompressed. A public host can't redirect to one that only this machine or its network
/// reaches.
final class Download: NSObject, URLSessionDataDelegate, Sendable {
    struct Document {
        var bytes: [UInt8]
        /// Whether it came compressed. curl takes such an answer for whole even if it is cut off.
        var isCompressed = false
    }

    struct Bounds {
        var bytes = Limits.bytesPerSource
        var redirects = Limits.redirectsPerSource
        var secondsToFirstByte = Double(Limits.secondsToFirstByte)
        var seconds = Double(Limits.secondsPerFetch)
    }

    /// Looks a host's addresses up; empty if it is not known.
    typealias Lookup = @Sendable (String) -> [HostAddress]

    private struct State {
        var bytes: [UInt8] = []
        /// 0 if the server does not say.
        var expected = 0
        var redirects = 0
        var isCompressed = false
        var failure: ValetError?
        var isDone = false
        var reported = ContinuousClock.now
    }

    private let bounds: Bounds
    private let lookup: Lookup
    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    private init(_ bounds: Bounds, _ lookup: @escaping Lookup) {
        self.bounds = bounds
        self.lookup = lookup
    }

    static func document(
        at url: URL, _ bounds: Bounds = Bounds(),
        lookup: @escaping Lookup = HostAddress.addresses(of:)
    ) throws(ValetError) -> Document {
        let download = Download(bounds, lookup)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // Longer than what is waited for here, so that the reason is ours.
        configuration.timeoutIntervalForRequest = 2 * bounds.seconds + 60
        configuration.httpAdditionalHeaders = [
            "User-Agent": "valet-fetch",
            "Accept": "application/rss+xml, application/atom+xml, text/csv, */*;q=0.5",
        ]
        let session = URLSession(
            configuration: configuration, delegate: download, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        session.dataTask(with: url).resume()
        return try download.wait()
    }

    private func wait() throws(ValetError) -> Document {
        let start = DispatchTime.now()
        if ended.wait(timeout: start + bounds.secondsToFirstByte) == .timedOut,
            state.withLock({ $0.bytes.isEmpty })
        {
            throw ValetError(
                .timedOut,
                "nothing came within \(Int(bounds.secondsToFirstByte)) seconds "
                    + "(secondsToFirstByte)")
        }
        let isDone = state.withLock(\.isDone)
        if !isDone, ended.wait(timeout: start + bounds.seconds) == .timedOut {
            throw ValetError(
                .timedOut,
                "it was not complete within \(Int(bounds.seconds)) seconds (secondsPerFetch)")
        }
        let failure = state.withLock(\.failure)
        if let failure { throw failure }
        return state.withLock { Document(bytes: $0.bytes, isCompressed: $0.isCompressed) }
    }

    private func fail(_ error: ValetError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    // MARK: What the server does

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        let count = state.withLock { state in
            state.redirects += 1
            return state.redirects
        }
        let (before, after) = (
            response.url?.scheme?.lowercased(), request.url?.scheme?.lowercased()
        )
        var problem: ValetError?
        if count > bounds.redirects {
            problem = ValetError(
                .limitExceeded,
                "it is redirected more than \(bounds.redirects) times (redirectsPerSource)")
        } else if after != "https", after != "http" || before == "https" {
            problem = ValetError(.notAllowed, "it is redirected to an address that is not https")
        } else if !mayLead(from: response.url, to: request.url) {
            problem = ValetError(
                .notAllowed,
                "it is redirected from a public address to one of this machine or its network")
        }
        guard let problem else { return completionHandler(request) }
        fail(problem)
        completionHandler(nil)
        task.cancel()
    }

    private func mayLead(from before: URL?, to after: URL?) -> Bool {
        let sources = before?.host().map(lookup) ?? []
        if !sources.isEmpty, !sources.contains(where: \.isPublic) { return true }
        let targets = after?.host().map(lookup) ?? []
        return !targets.isEmpty && targets.allSatisfy(\.isPublic)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200 {
            fail(ValetError(.storageFailed, "the server answered with status \(status)"))
            return completionHandler(.cancel)
        }
        let encoding = (response as? HTTPURLResponse)?.value(
            forHTTPHeaderField: "Content-Encoding")
        state.withLock { state in
            state.isCompressed = encoding.map { $0.lowercased() != "identity" } ?? false
            // The length is that of what travels.
            let length = Int(clamping: response.expectedContentLength)
            state.expected = state.isCompressed ? 0 : max(0, length)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let report: (Int, Int)? = state.withLock { state in
            guard state.failure == nil else { return nil }
            guard data.count <= bounds.bytes - state.bytes.count else {
                state.failure = .tooLarge
                return nil
            }
            state.bytes += data
            let now = ContinuousClock.now
            guard now - state.reported >= .milliseconds(100) else { return nil }
            state.reported = now
            return (state.bytes.count, state.expected)
        }
        if let (done, total) = report { FetchProgram.report(done: done, of: total) }
        if state.withLock({ $0.failure != nil }) { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?)
    {
        if let error { fail(ValetError(.storageFailed, error.localizedDescription)) }
        state.withLock { $0.isDone = true }
        ended.signal()
    }
}
