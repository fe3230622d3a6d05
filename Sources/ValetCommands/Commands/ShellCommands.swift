import ArgumentParser

/// A program with a manual page.
package protocol Program: AsyncParsableCommand {
    /// Of the manual: 1 is for everybody, 8 for those who run a machine.
    static var section: Int { get }
    /// What its page has beside its help.
    static var manual: [ManualPage.Section] { get }
}

struct CompletionsCommand<Root: Program>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Root._commandName
        return CommandConfiguration(
            commandName: "completions", abstract: "Print a shell completion script.",
            discussion: """
                For bash: source <(\(name) completions bash) in ~/.bashrc. For zsh: into a file \
                _\(name) in a folder of $fpath. For fish: into \
                ~/.config/fish/completions/\(name).fish.
                """)
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        try StandardOutput.write(Root.completionScript(for: shell.completion))
    }
}

enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    var completion: CompletionShell {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }
}

struct ManualCommand<Root: Program>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Root._commandName
        return CommandConfiguration(
            commandName: "manual",
            abstract: "Print the manual page: \(name) manual > \(name).\(Root.section).")
    }

    func run() throws {
        try StandardOutput.write(ManualPage.text(of: Root.self))
    }
}
