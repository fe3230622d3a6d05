import ArgumentParser
import Foundation
import ValetModel
import ValetTerminal

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a target full screen; `valet TARGET` does the same.")

    @OptionGroup var target: TargetOptions
    @OptionGroup var question: QuestionOptions

    func run() async throws {
        let code = try await FullScreen.run(
            target, try target.appOptions(question.question))
        if code != 0 { throw ExitCode(code) }
    }
}

extension TargetOptions {
    func appOptions(_ question: Question) throws -> AppOptions {
        let (name, ofTarget): (String, String?) =
            switch try Target(target) {
            case .server(let host, _, let list): (host, list)
            case .file(let path): (URL(filePath: path).lastPathComponent, nil)
            }
        return AppOptions(
            targetName: name, listName: list ?? ofTarget, question: question,
            isASCII: TerminalChoices.isASCII)
    }
}
