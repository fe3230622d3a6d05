import TestSupport
import Testing

/// Two networks with a cable between them.
private final class Cable {
    static let isPossible: Bool = {
        let scratch = Scratch()
        let cable = "ip link add one type veth peer name other && ip link add switch type bridge"
        let tried = try? scratch.shell("unshare --net sh -c '\(cable)'")
        return tried?.code == 0
    }()

    let server: Namespace
    let client: Namespace

    init(in scratch: Scratch) throws {
        server = try Namespace("net", in: scratch)
        client = try Namespace("net", in: scratch)
        // The server's address stays when the cable is pulled: nobody is told anything.
        try run(
            server,
            "ip link add plug type veth peer name plug netns \(client.number)",
            "ip link add switch type bridge", "ip address add 10.0.0.1/24 dev switch",
            "ip link set switch up", "ip link set plug master switch up")
        try run(client, "ip address add 10.0.0.2/24 dev plug", "ip link set plug up")
    }

    private func run(_ space: Namespace, _ lines: String...) throws {
        let done = try space.shell(lines.joined(separator: " && "))
        guard done.code == 0 else { throw Unfinished(what: done.message) }
    }

    func pull() throws { try run(server, "ip link set plug down") }

    func putBack() throws { try run(server, "ip link set plug up") }
}

/// A network that takes packets and says nothing.
@Suite(
    .runsPrograms,
    .enabled(if: Cable.isPossible, "needs the rights to make networks: run it as root on Linux"))
struct VanishedPacketsTests {
    private let scratch = Scratch()

    @Test(.needsTmux) func aPersonSeesItTheServerFreesTheConnectionAndBothGoOn() throws {
        let cable = try Cable(in: scratch)
        let file = try scratch.cars()
        let server = try cable.server.start(
            .valetd, ["serve", file, "--listen", "10.0.0.1:0", "--insecure", "--log", "debug"])
        defer { server.end() }
        let address = try server.address
        let window = try TerminalWindow(
            "\(cable.client.entrance) '\(Program.valet.path)' '\(address)'", in: scratch)
        try window.wait(for: "● live", " 1 of ")
        try cable.pull()
        try window.wait(for: "slow")
        let log = { String(decoding: try server.words, as: UTF8.self) }
        try eventually("the connection is freed") {
            try log().contains("silent for 30 seconds")
        }
        try cable.putBack()
        try window.wait(for: "● live", "Reconnected")
    }
}
