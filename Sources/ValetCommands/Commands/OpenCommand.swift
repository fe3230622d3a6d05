import ArgumentParser
import Foundation
import ValetModel
import ValetStore
import ValetTerminal

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a target full screen; `valet TARGET` does the same.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var screen: ScreenOptions

    @Argument(help: "More CSV files, each of which is a list.")
    var more: [String] = []

    func validate() throws {
        if case .file(let path) = try? Target(target.target), (try? requireFile(path)) == nil {
            if let meant = Self.subcommand(like: path) {
                throw ValidationError(
                    meant == path
                        ? "“\(path)” is a subcommand: write it first, then its options."
                        : "There is no file “\(path)”. Did you mean the subcommand “\(meant)”?")
            }
            guard more.isEmpty else {
                throw ValidationError("“\(path)” is neither a file nor a subcommand: see --help.")
            }
        }
    }

    /// Later than other checks: what stands behind an unknown option looks like a file.
    private func checkMore() throws {
        for name in more.isEmpty ? [] : [target.target] + more {
            if case .csv = try? Target(name) { continue }
            throw ValidationError("Only CSV files can be opened together: “\(name)” is none.")
        }
    }

    /// The subcommand of which a word may be a slip of the pen: a letter more, less or another, or
    /// two that have changed places.
    private static func subcommand(like word: String) -> String? {
        for command in ValetCommand.configuration.subcommands {
            guard let name = command.configuration.commandName else { continue }
            if word == name || Spelling.isSlip(word, of: name) { return name }
        }
        return nil
    }

    func run() async throws {
        try checkMore()
        // Before the screen is drawn: reading a large file shows its progress in a line.
        var imported: ImportedFiles?
        switch try Target(target.target) {
        case .csv: imported = try .make(of: [target.target] + more)
        // That it is not there matters more than that there is no terminal.
        case .file(let path): try requireFile(path)
        case .server, .demo: break
        }
        try await target.meetServer()
        let settings = try screen.settings()
        var options = try target.appOptions(query, settings)
        if !more.isEmpty { options.target = nil }
        // After a file that had to be mended, that is the first thing to know.
        options.startNotes = imported?.notes ?? []
        if let first = options.startNotes.first, options.startNotes.count > 1 {
            options.startNotes[0] = "\(first) (\(options.startNotes.count - 1) more: L)"
        }
        let result = try await FullScreen.run(target, options, settings, imported: imported)
        if result.exitCode != 0 { throw ExitCode(result.exitCode) }
    }
}

struct PickCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pick",
        abstract: "Pick rows of a target, or lines of standard input, and print which.",
        discussion: """
            Enter picks a row: it ends the program and prints the row's id. q and Esc at the top, \
            and ^C twice, cancel: nothing is printed, and the exit code is 130. The screen is \
            drawn on the terminal even if standard output is a pipe: id=$(valet pick cars.sqlite).

            From standard input, lines are picked and printed as they are: the best that fit what \
            is typed come first, ranked as fzf ranks them, and its 'word ^word word$ !word and | \
            are understood; a capital is meant. The first line names the columns, unless \
            --no-header says otherwise.

              file=$(git ls-files | valet pick - --no-header)
            """)

    @OptionGroup var target: TargetOptions
    @OptionGroup var query: QueryOptions
    @OptionGroup var screen: ScreenOptions

    @Flag(help: "Print several: Space selects rows, Tab marks lines, and Enter picks them all.")
    var multi = false

    @Flag(help: "Standard input's first line is one like the others.")
    var noHeader = false

    func validate() throws {
        if noHeader, target.target != "-" {
            throw ValidationError("--no-header is for lines of standard input: valet pick -.")
        }
    }

    func run() async throws {
        guard target.target != "-" else { return try await pickLines() }
        try await target.meetServer()
        let settings = try screen.settings()
        var options = try target.appOptions(query, settings)
        options.picks = true
        options.picksSeveral = multi
        let result = try await FullScreen.run(target, options, settings)
        if result.exitCode != 0 { throw ExitCode(result.exitCode) }
        try StandardOutput.write(result.picked.map { "\($0)\n" }.joined())
    }

    private func pickLines() async throws {
        let picked = try await LineScreen.run(
            hasHeader: !noHeader, takesSeveral: multi, try screen.settings())
        guard let picked else { throw ExitCode(ExitStatus.cancelled.rawValue) }
        let output = StandardOutput()
        for line in picked { try output.write { $0 += line + [UInt8(ascii: "\n")] } }
        try output.flush()
    }
}

extension TargetOptions {
    func appOptions(_ query: QueryOptions, _ settings: Settings) throws -> AppOptions {
        let (name, ofTarget): (String, String?) =
            switch try Target(target) {
            case .server(let servers, let list): (servers.name, list)
            case .csv("-"): ("standard input", nil)
            case .demo: ("Gallery", nil)
            case .file(let path), .csv(let path): (URL(filePath: path).lastPathComponent, nil)
            }
        var note: String?
        if case .file(let path) = try Target(target), try !FileLog.exists(inFile: path) {
            note = "The first change adds Valet's tables (_valet_…) to the file"
        }
        var options = AppOptions(
            targetName: name, listName: list ?? ofTarget, query: query.query,
            conditions: query.search.conditions,
            isASCII: settings.isASCII, keymap: settings.keymap, hasMouse: settings.hasMouse,
            startSeconds: PersonsClock.second, firstFormNote: note, zone: PersonsClock.zone)
        if target != "-" {
            options.target =
                [target] + (catalog.map { ["--catalog", $0] } ?? [])
                + (authorities.map { ["--ca", $0] } ?? [])
        }
        return options
    }
}
