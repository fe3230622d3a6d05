import Dispatch
import ValetModel

import struct Synchronization.Atomic

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A web server on loopback that answers as a test says, on a port of the system's choice. Each
/// connection has one request, and a thread.
package final class TinyServer: Sendable {
    package struct Request: Sendable {
        package let path: String
        /// Requests that came before.
        package let number: Int
    }

    package enum Answer: Sendable {
        case whole(String)
        case status(Int)
        case redirect(String)
        /// The beginning of an answer that says it has so many bytes.
        case cutOff(String, of: Int)
        case endless
        /// A byte every now and then, without end.
        case drops
        /// A byte every 20 ms, to the end.
        case slow(String)
        /// Nothing, until the client or the server ends.
        case silence
        /// The answer, as soon as the gate is opened.
        case gated(Gate, String)
    }

    /// Holds answers back until a test opens it.
    package final class Gate: Sendable {
        private let opened = Mutex(false)

        package init() {}

        package var isOpen: Bool { opened.withLock(\.self) }

        package func open() {
            opened.withLock { $0 = true }
        }
    }

    package let port: Int
    private let socket: Int32
    private let isStopped = Atomic(false)
    private let count = Atomic(0)
    private let answer: @Sendable (Request) -> Answer

    package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        self.answer = answer
        #if canImport(Darwin)
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #elseif canImport(Musl)
            socket = Musl.socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (socket, length) = (socket, size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, address, &size) == 0
            }
        }
        guard isListening else { throw NotListening(number: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        DispatchQueue(label: "tiny server").async { [self] in acceptAll() }
    }

    private struct NotListening: Error {
        let number: Int32
    }

    package var requests: Int { count.load(ordering: .acquiring) }

    package func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private func acceptAll() {
        while !isStopped.load(ordering: .acquiring) {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            DispatchQueue(label: "tiny server's connection").async { [self] in
                serve(connection)
                close(connection)
            }
        }
    }

    private func serve(_ connection: Int32) {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard bytes.count < 64 << 10, recv(connection, &byte, 1, 0) == 1 else { return }
            bytes.append(byte)
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        let number = count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
        let request = Request(path: words.count > 1 ? String(words[1]) : "", number: number)
        switch answer(request) {
        case .whole(let text): sendWhole(text, connection)
        case .status(let status):
            _ = send("HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\r\n", connection)
        case .redirect(let address):
            let head = "HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: \(address)\r\n\r\n"
            _ = send(head, connection)
        case .cutOff(let text, let count):
            _ = send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(text)", connection)
        case .endless:
            _ = send("HTTP/1.1 200 OK\r\n\r\n", connection)
            while send(String(repeating: " ", count: 4_096), connection) {}
        case .drops:
            _ = send("HTTP/1.1 200 OK\r\n\r\n", connection)
            while isRunning, send(" ", connection) { _ = poll(nil, 0, 20) }
        case .slow(let text):
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
            guard send(head, connection) else { return }
            for byte in text.utf8 {
                guard isRunning, send(String(UnicodeScalar(byte)), connection) else { return }
                _ = poll(nil, 0, 20)
            }
        case .silence: while isRunning, isConnected(connection) { _ = poll(nil, 0, 5) }
        case .gated(let gate, let text):
            while isRunning, !gate.isOpen, isConnected(connection) { _ = poll(nil, 0, 5) }
            if gate.isOpen { sendWhole(text, connection) }
        }
    }

    private var isRunning: Bool { !isStopped.load(ordering: .acquiring) }

    private func isConnected(_ connection: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) != 0
    }

    private func sendWhole(_ text: String, _ connection: Int32) {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n"
        _ = send(head + "Connection: close\r\n\r\n" + text, connection)
    }

    private func send(_ text: String, _ connection: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Darwin)
                    Darwin.send(connection, $0.baseAddress, $0.count, 0)
                #elseif canImport(Musl)
                    Musl.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                    Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
