import Foundation
import TestSupport
import Testing

/// What `Scripts/install` puts on a machine, and takes away again.
@Suite(.runsPrograms) struct InstallTests {
    private let scratch = Scratch()

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL.path

    private func install(_ arguments: String) throws -> Finished {
        let programs = URL(filePath: Program.valet.path).deletingLastPathComponent().path
        return try scratch.shell(
            "VALET_BIN='\(programs)' exec '\(Self.repository)/Scripts/install' \(arguments)")
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: scratch.path(folder)).sorted()
    }

    @Test func whatIsInstalledRunsAndIsRemovedWhole() throws {
        let prefix = scratch.path("prefix")
        try FileManager.default.createDirectory(
            atPath: prefix + "/share", withIntermediateDirectories: true)
        try scratch.write("mine", to: "prefix/share/notes")
        // An upgrade from a version that had another file.
        for _ in 0..<2 {
            let done = try install(prefix)
            #expect(done.code == 0, "\(done.message)")
            let list = prefix + "/share/doc/valet/files"
            let files = try String(contentsOfFile: list, encoding: .utf8)
            try scratch.write("old", to: "prefix/bin/valet-old")
            try Data(("bin/valet-old\n" + files).utf8).write(to: URL(filePath: list))
        }
        #expect(try install(prefix).code == 0)
        let installed = try files(in: "prefix")
        #expect(!installed.contains("bin/valet-old"))
        for name in [
            "bin/valet", "bin/valetd", "libexec/valet/valet-fetch", "share/man/man1/valet.1.gz",
            "share/man/man8/valetd.8.gz", "share/bash-completion/completions/valetd",
            "share/zsh/site-functions/_valet", "share/fish/vendor_completions.d/valet.fish",
            "share/doc/valet/examples/cars.conf",
        ] {
            #expect(installed.contains(name), "\(name)")
        }
        let version = try scratch.shell("exec '\(prefix)/bin/valetd' --version")
        #expect(version.text.hasPrefix("0.1 (protocol 1, "))
        let file = try scratch.write("a,b\n1,2\n", to: "two.csv")
        let fetched = try scratch.shell("exec '\(prefix)/libexec/valet/valet-fetch' '\(file)'")
        #expect(fetched.text == "a,b\n1,2\n")
        #if os(Linux)
            let unit = try String(
                contentsOfFile: prefix + "/lib/systemd/system/valetd@.service", encoding: .utf8)
            #expect(
                unit.contains("ExecStart=\(prefix)/bin/valetd serve ") && !unit.contains("@PRE"))
        #endif

        #expect(try install("--remove \(prefix)").code == 0)
        #expect(try files(in: "prefix") == ["share", "share/notes"])
        let again = try install("--remove \(prefix)")
        #expect(again.code == 1 && again.message.contains("not installed"))
    }

    @Test(arguments: ["", "--remove", "usr", "/a /b", "--help"])
    func whatIsNoPrefixIsRefused(arguments: String) throws {
        let done = try install(arguments)
        #expect(done.code == 2 && done.text.isEmpty && !done.message.isEmpty)
    }

    /// systemd is told when clients can connect, and when that ends.
    @Test func aServiceManagerIsToldHowItIs() throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        let name = scratch.path("notify")
        let listening = try #require(NotifySocket(at: name))
        let server = try RunningProcess(
            "/usr/bin/env",
            [
                "NOTIFY_SOCKET=\(name)", Program.valetd.path, "serve", file, "--listen",
                "127.0.0.1:0",
            ],
            in: scratch)
        defer { server.end() }
        let address = try server.address
        #expect(listening.next() == "READY=1\nSTATUS=\(address)")
        // What `systemctl reload` sends ends nothing, though there is no certificate.
        server.send(SIGHUP)
        try eventually("it is told") {
            String(decoding: try server.words, as: UTF8.self).contains("nothing is read again")
        }
        server.send(SIGTERM)
        #expect(listening.next() == "STOPPING=1")
        #expect(try server.waitForEnd() == 0)
    }
}
