import CCurl
import ValetModel

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Loads a document over http or https.
///
/// The address is the catalog's, so it is trusted; nothing that comes from there is. All of it is
/// bounded: the redirects, the time to the first byte and in all, and the bytes, counted after they
/// were decompressed. A public host can't redirect to one that only this machine or its network
/// reaches: libcurl asks here for each socket with the address that it is about to connect to, so
/// that a name can't lead to one address when it is checked and to another when it is used.
///
/// libcurl's easy interface, on the calling thread: URLSession on Linux spun for as long as a slow
/// source was waited for.
final class Download {
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

    private static let isLoaded = valet_curl_load()

    private let bounds: Bounds
    private let isPublic: (HostAddress) -> Bool
    private let curl: UnsafeMutableRawPointer
    private let start = ContinuousClock.now
    private var bytes: [UInt8] = []
    private var isCompressed = false
    /// Whether a socket was opened to a public address.
    private var hasLeft = false
    private var mustStayOutside = false
    private var failure: ValetError?
    private var reported = ContinuousClock.now

    private init(_ bounds: Bounds, _ isPublic: @escaping (HostAddress) -> Bool) throws(ValetError) {
        guard Self.isLoaded, let curl = valet_curl_easy_init() else {
            throw ValetError(.unexpected, "libcurl can't be loaded: is libcurl4 installed?")
        }
        self.bounds = bounds
        self.isPublic = isPublic
        self.curl = curl
    }

    deinit { valet_curl_easy_cleanup(curl) }

    static func document(
        at text: String, _ bounds: Bounds = Bounds(),
        isPublic: @escaping (HostAddress) -> Bool = \.isPublic
    ) throws(ValetError) -> Document {
        let download = try Download(bounds, isPublic)
        guard let address = address(text) else {
            throw ValetError(.storageFailed, "the address is no URL")
        }
        let headers = valet_curl_slist_append(
            nil, "Accept: application/rss+xml, application/atom+xml, text/csv, */*;q=0.5")
        defer { valet_curl_slist_free_all(headers) }
        valet_curl_set_list(download.curl, CURLOPT_HTTPHEADER, headers)
        download.prepare()
        return try download.document(at: address)
    }

    /// The address as libcurl reads it, with blanks encoded; nil if it is none.
    private static func address(_ text: String) -> String? {
        guard let url = valet_curl_url() else { return nil }
        defer { valet_curl_url_cleanup(url) }
        var address: UnsafeMutablePointer<CChar>?
        let flags = UInt32(CURLU_ALLOW_SPACE | CURLU_URLENCODE)
        guard valet_curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
            valet_curl_url_get(url, CURLUPART_URL, &address, 0) == CURLUE_OK, let address
        else { return nil }
        defer { valet_curl_free(address) }
        return String(cString: address)
    }

    private func prepare() {
        valet_curl_set_text(curl, CURLOPT_USERAGENT, "valet-fetch")
        // Not asked for, but understood where it comes all the same.
        valet_curl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "identity")
        // Behind a proxy, nobody here knows which address is connected to.
        valet_curl_set_text(curl, CURLOPT_PROXY, "")
        // A connection that is kept would be used again without a question about its address.
        valet_curl_set_number(curl, CURLOPT_FORBID_REUSE, 1)
        valet_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
        valet_curl_set_number(curl, CURLOPT_NOPROGRESS, 0)
        // This object lives as long as the handle.
        let this = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA,
        ] { valet_curl_set_object(curl, option, this) }
        valet_curl_set_receiver(curl, CURLOPT_WRITEFUNCTION) { bytes, _, count, this in
            let part = UnsafeRawBufferPointer(start: bytes, count: count)
            return Download.of(this)?.receive(part) == true ? count : count &+ 1
        }
        valet_curl_set_receiver(curl, CURLOPT_HEADERFUNCTION) { bytes, _, count, this in
            Download.of(this)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        valet_curl_set_progress(curl) { this, _, _, _, _ in
            Download.of(this)?.isInTime == true ? 0 : 1
        }
        valet_curl_set_opener(curl) { this, _, address in
            guard let this = Download.of(this), let address else { return CURL_SOCKET_BAD }
            return this.open(address)
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> Download? {
        pointer.map { Unmanaged<Download>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: One request after the other

    private func document(at first: String) throws(ValetError) -> Document {
        var address = first
        for _ in 0...bounds.redirects {
            guard let next = try follow(address) else {
                return Document(bytes: bytes, isCompressed: isCompressed)
            }
            guard Self.isHTTPS(next) || SourceKind.isURL(next) && !Self.isHTTPS(address) else {
                throw ValetError(.notAllowed, "it is redirected to an address that is not https")
            }
            mustStayOutside = hasLeft
            address = next
        }
        throw ValetError(
            .limitExceeded,
            "it is redirected more than \(bounds.redirects) times (redirectsPerSource)")
    }

    /// - Returns: where it is redirected to; nil: the document is here.
    private func follow(_ address: String) throws(ValetError) -> String? {
        (bytes, isCompressed) = ([], false)
        let spent = (ContinuousClock.now - start) / .seconds(1)
        valet_curl_set_text(curl, CURLOPT_URL, address)
        valet_curl_set_number(
            curl, CURLOPT_TIMEOUT_MS, max(1, Int((bounds.seconds - spent) * 1_000)))
        let result = valet_curl_easy_perform(curl)
        if let failure { throw failure }
        let status = valet_curl_status(curl)
        if status != 200, status != 0 {
            if result == CURLE_OK, let next = valet_curl_redirect(curl) {
                return String(cString: next)
            }
            throw ValetError(.storageFailed, "the server answered with status \(status)")
        }
        switch result {
        case CURLE_OK: return nil
        case CURLE_OPERATION_TIMEDOUT:
            throw ValetError(
                .timedOut,
                "it was not complete within \(Int(bounds.seconds)) seconds (secondsPerFetch)")
        default: throw ValetError(.storageFailed, String(cString: valet_curl_easy_strerror(result)))
        }
    }

    private static func isHTTPS(_ address: String) -> Bool {
        address.lowercased().hasPrefix("https://")
    }

    // MARK: What libcurl asks and brings

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let sockaddr = UnsafeRawPointer(address)
            .advanced(by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
            .assumingMemoryBound(to: sockaddr.self)
        let isOutside = HostAddress(sockaddr).map(isPublic) ?? false
        guard isOutside || !mustStayOutside else {
            failure = ValetError(
                .notAllowed,
                "it is redirected from a public address to one of this machine or its network")
            return CURL_SOCKET_BAD
        }
        hasLeft = hasLeft || isOutside
        let descriptor = socket(
            address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Called about once a second, and with what comes.
    private var isInTime: Bool {
        if bytes.isEmpty,
            ContinuousClock.now - start > .seconds(bounds.secondsToFirstByte)
        {
            failure =
                failure
                ?? ValetError(
                    .timedOut,
                    "nothing came within \(Int(bounds.secondsToFirstByte)) seconds "
                        + "(secondsToFirstByte)")
        }
        return failure == nil
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) {
        let words = String(decoding: line, as: UTF8.self).lowercased().split(separator: ":")
        guard words.first == "content-encoding", let value = words.last else { return }
        isCompressed = !value.split(whereSeparator: \.isWhitespace).elementsEqual(["identity"])
    }

    /// - Returns: whether more is wanted. A redirect's text is bounded like a document.
    private func receive(_ part: UnsafeRawBufferPointer) -> Bool {
        let status = valet_curl_status(curl)
        guard status == 200 || (300..<400).contains(status) else { return false }
        guard part.count <= bounds.bytes - bytes.count else {
            failure = .tooLarge
            return false
        }
        bytes += part
        let now = ContinuousClock.now
        if status == 200, now - reported >= .milliseconds(100) {
            reported = now
            // The length is that of what travels.
            let length = isCompressed ? 0 : max(0, Int(clamping: valet_curl_length(curl)))
            FetchProgram.report(done: bytes.count, of: length)
        }
        return true
    }
}
