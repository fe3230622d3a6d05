import Foundation
import TestSupport
import Testing
import ValetModel

import struct Synchronization.Atomic

@testable import ValetFetch

/// What web servers do, and what becomes of it.
@Suite struct DownloadTests {
    private func loaded(
        _ answer: @escaping @Sendable (TinyServer.Request) -> TinyServer.Answer,
        _ bounds: Download.Bounds = Download.Bounds(), host: String = "127.0.0.1",
        path: String = "/feed", isPublic: @escaping @Sendable (HostAddress) -> Bool = \.isPublic
    ) async throws -> Result<Download.Document, ValetError> {
        let server = try TinyServer(answer)
        defer { server.stop() }
        let url = "http://\(host):\(server.port)\(path)"
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result { () throws(ValetError) in
                        try Download.document(at: url, bounds, isPublic: isPublic)
                    })
            }
        }
    }

    private func reason(_ result: Result<Download.Document, ValetError>) -> String {
        if case .failure(let error) = result { error.message } else { "" }
    }

    @Test func anAnswerIsLoaded() async throws {
        let result = try await loaded { _ in .whole("a,b\n1,2\n") }
        #expect(try String(decoding: result.get().bytes, as: UTF8.self) == "a,b\n1,2\n")
    }

    @Test func whatAnAddressMayNotHaveIsEncoded() async throws {
        let result = try await loaded({ .whole($0.path) }, path: "/ä b/%20?q=a b")
        let path = try String(decoding: result.get().bytes, as: UTF8.self).uppercased()
        #expect(["/%C3%A4%20B/%20?Q=A+B", "/%C3%A4%20B/%20?Q=A%20B"].contains(path))
    }

    @Test(arguments: ["http://", "http://a:99999/", "http://[::g]/", "http://a\n/"])
    func anAddressThatIsNoURLIsRefused(address: String) {
        let error = #expect(throws: ValetError.self) { try Download.document(at: address) }
        #expect(error?.message == "the address is no URL")
    }

    @Test func aRedirectIsFollowed() async throws {
        let result = try await loaded { request in
            request.path == "/feed" ? .redirect("/other") : .whole("found")
        }
        #expect(try String(decoding: result.get().bytes, as: UTF8.self) == "found")
    }

    @Test func redirectsAreLimited() async throws {
        let result = try await loaded { _ in .redirect("/feed") }
        #expect(reason(result).contains("redirectsPerSource"))
    }

    @Test func aRedirectToAFileIsNotFollowed() async throws {
        let result = try await loaded { _ in .redirect("file:///etc/passwd") }
        #expect(throws: ValetError.self) { try result.get() }
    }

    /// `127.0.0.1` stands for a host on the internet here.
    @Test(arguments: [
        "http://127.0.0.2/", "http://[::1]/", "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:10.0.0.1]/", "http://2130706434/", "http://0x7f.2/",
    ]) func aPublicAddressCannotRedirectInwards(_ target: String) async throws {
        let result = try await loaded({ _ in .redirect(target) }) {
            $0 == HostAddress("127.0.0.1") || $0.isPublic
        }
        #expect(reason(result).contains("redirected from a public address"), "\(reason(result))")
    }

    /// A name may lead to another address each time that it is looked up.
    @Test func theAddressThatIsConnectedToIsTheOneThatIsChecked() async throws {
        let isRedirected = Atomic(false)
        let result = try await loaded(
            { request in
                guard request.number == 0 else { return .whole("secret") }
                isRedirected.store(true, ordering: .sequentiallyConsistent)
                return .redirect("/again")
            }, host: "localhost",
            isPublic: { _ in !isRedirected.load(ordering: .sequentiallyConsistent) })
        #expect(reason(result).contains("redirected from a public address"), "\(reason(result))")
    }

    @Test func anAddressOfTheNetworkCanRedirectWithinIt() async throws {
        let result = try await loaded(
            { $0.number == 0 ? .redirect("/again") : .whole("found") }, host: "localhost")
        #expect(try String(decoding: result.get().bytes, as: UTF8.self) == "found")
    }

    @Test(arguments: [404, 500, 204]) func anotherStatusIsAnError(_ status: Int) async throws {
        let result = try await loaded { _ in .status(status) }
        #expect(reason(result).contains("\(status)"))
    }

    @Test func bytesAreLimited() async throws {
        var bounds = Download.Bounds()
        bounds.bytes = 10_000
        #expect(try await loaded({ _ in .whole(text(10_000)) }, bounds).get().bytes.count == 10_000)
        #expect(
            reason(try await loaded({ _ in .whole(text(10_001)) }, bounds))
                .contains("bytesPerSource"))
        #expect(reason(try await loaded({ _ in .endless }, bounds)).contains("bytesPerSource"))
    }

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func anAnswerThatIsCutOffIsAnError() async throws {
        let result = try await loaded { _ in .cutOff("half", of: 100) }
        #expect(throws: ValetError.self) { try result.get() }
    }

    @Test func silenceIsLimited() async throws {
        var bounds = Download.Bounds()
        bounds.secondsToFirstByte = 0.3
        let result = try await loaded({ _ in .silence }, bounds)
        #expect(reason(result).contains("secondsToFirstByte"))
    }

    @Test func timeIsLimitedAlsoForWhoSendsAByteNowAndThen() async throws {
        var bounds = Download.Bounds()
        bounds.seconds = 0.5
        let result = try await loaded({ _ in .drops }, bounds)
        #expect(reason(result).contains("secondsPerFetch"))
    }

    /// curl takes a compressed answer that ends too soon for a whole one, and so would CSV.
    @Test func compressedCSVIsRefused() throws {
        let source = Download.Document(bytes: Array("a\n1\n".utf8), isCompressed: true)
        #expect(throws: ValetError.self) {
            try FetchProgram.csv(of: source, FetchOptions(source: "http://x/a.csv"))
        }
    }

    @Test func aHostThatIsNotThereIsAnError() async throws {
        let server = try TinyServer { _ in .silence }
        server.stop()
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(throws: ValetError.self) { try Download.document(at: url) }
    }
}

/// Which addresses anybody reaches.
@Suite struct HostAddressTests {
    @Test(arguments: [
        "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "192.0.1.1",
        "223.255.255.255", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::",
    ]) func anybodyReaches(_ text: String) throws {
        #expect(try #require(HostAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.168.0.1", "198.18.0.1", "224.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1",
        "2002:7f00:1::", "2001::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
        "100::1",
    ]) func onlyTheMachineOrItsNetworkReaches(_ text: String) throws {
        #expect(try #require(HostAddress(text)).isPublic == false)
    }

    @Test func aNameIsNoAddress() {
        #expect(HostAddress("localhost") == nil && HostAddress("") == nil)
    }
}
