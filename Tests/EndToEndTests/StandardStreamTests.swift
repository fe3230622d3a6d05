import Foundation
import Testing

/// What is said may have nowhere to go: the program goes on, or ends as it would have.
@Suite(.timeLimit(.minutes(5))) struct StandardStreamTests {
    private let scratch = Scratch()

    #if os(Linux)
        @Test func aServerWhoseLogIsFullServesOn() throws {
            let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
            let server = try Program.valetd.start(
                ["serve", file, "--listen", "127.0.0.1:0"], in: scratch, words: "/dev/full")
            defer { server.end() }
            try scratch.valet(["add", server.address, "make=Kia"], expecting: 0)
            server.send(SIGTERM)
            #expect(try server.waitForEnd() == 0)
        }
    #endif

    @Test(arguments: ["2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func anErrorThatNobodyHearsHasItsCode(closed: String) throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        let heard = try scratch.valet(["rows", file, "--list", "nope"])
        let line = "exec '\(Program.valet.path)' rows '\(file)' --list nope \(closed)"
        #expect(heard.code > 0 && heard.message.contains("nope"))
        #expect(try scratch.shell(line).code == heard.code)
    }

    @Test func anOutputThatGoesNowhereIsAnError() throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        let rows = try scratch.shell("exec '\(Program.valet.path)' rows '\(file)' >&-")
        #expect(rows.code == 1 && rows.message.contains("standard output"))
        let help = try scratch.shell("exec '\(Program.valet.path)' --help >&-")
        #expect(help.code == 1 && help.message.contains("standard output"))
    }

    @Test func anArgumentThatIsNotUTF8IsNotStored() throws {
        let file = try scratch.database(table: "cars", csv: "make\nBMW\n")
        let line = "exec '\(Program.valet.path)' add '\(file)' \"make=$(printf '\\377a')\""
        let added = try scratch.shell(line)
        #expect(added.code == 2 && added.message.contains("argument 3 is not UTF-8"))
        #expect(try scratch.valet(["count", file]).text == "1\n")
    }
}
