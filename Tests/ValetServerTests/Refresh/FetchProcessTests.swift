import Testing

@testable import ValetServer
@testable import ValetStore

#if canImport(Glibc)
    import Glibc

    /// What a process that loads a source gets of this one.
    @Suite struct FetchProcessTests {
        @Test func itInheritsThreeDescriptors() throws {
            // As NIO's sockets are: without FD_CLOEXEC.
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            let source = ListSource(
                from: "x", address: "/proc/self/fd", folder: nil, kind: nil, key: 0, fields: nil)
            let process = try FetchProcess("/bin/ls", source)
            let output = String(decoding: try process.output { _, _ in }, as: UTF8.self)
            // The last is the folder that is listed.
            #expect(output.split(separator: "\n") == ["0", "1", "2", "3"])
        }
    }
#endif
