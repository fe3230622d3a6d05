import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print a shell completion script.",
        discussion: """
            For bash: source <(valet completions bash) in ~/.bashrc. For zsh: into a file _valet \
            in a folder of $fpath. For fish: into ~/.config/fish/completions/valet.fish.
            """)

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

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

    func run() throws {
        try StandardOutput.write(ValetCommand.completionScript(for: shell.completion))
    }
}

struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page: valet manual > valet.1.")

    func run() throws {
        try StandardOutput.write(ManualPage.text(of: ValetCommand.self))
    }
}
