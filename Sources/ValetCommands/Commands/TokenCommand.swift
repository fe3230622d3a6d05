import ArgumentParser
import Foundation
import ValetModel
import ValetSecurity
import ValetTerminal

/// `valetd token`: who may connect.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Say who may connect, and what they may do.",
        discussion: """
            A server that is started with --tokens FILE lets in only those who show a token of the \
            file, or a certificate whose key is in it. It holds hashes of the tokens, not the \
            tokens. A running server sees a change within a second, and cuts off whoever is revoked.

              valetd token add gate-a --rights writer --tokens tokens
              valetd serve cars.sqlite --tokens tokens

            Rights are the names of roles. Without --access, these are reader, who sees all lists, \
            writer, who also changes them, and administrator, who also loads lists anew and sees \
            the server's statistics.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct FileOption: ParsableArguments {
        @Option(help: "The file.", completion: .file())
        var tokens: String

        var file: PrincipalsFile { PrincipalsFile(path: tokens) }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Make a token and print it: it is kept nowhere else.",
            discussion: """
                One who has a token already gets another one: replace it at the station, and then \
                revoke the old one.

                With --certificate no token is made. Whoever shows a certificate with the same key \
                is let in: its names, dates and authorities do not count, and it may be renewed.
                """)

        @Argument(help: "Whom it is for: letters, digits, “.”, “_” and “-”.")
        var name: String

        @Option(help: "What they may do: reader, writer or administrator.")
        var rights = "reader"

        @Option(
            help: "A certificate in PEM form, or the fingerprint of its key: SHA256:….",
            completion: .file())
        var certificate: String?

        @OptionGroup var option: FileOption

        func run() throws {
            let roles =
                rights.isEmpty ? [] : rights.split(separator: ",", omittingEmptySubsequences: false)
            guard let principal = Principal(name: name, roles: roles.map(String.init)) else {
                throw CommandFailure(
                    .usage,
                    "names have at most 64 letters, digits, “.”, “_” and “-”, and rights at most "
                        + "\(Limits.rolesPerPrincipal) of them, with commas between")
            }
            if let certificate {
                let key =
                    try KeyFingerprint(certificate) ?? ShownCertificate(file: certificate).key
                try option.file.add(principal, .key(key))
                StandardStreams.say("\(key)\n", on: STDOUT_FILENO)
                StandardStreams.say(
                    "at the station: valet login valets://HOST --certificate FILE --key FILE\n")
                return
            }
            let token = try option.file.add(principal)
            StandardStreams.say(token.text + "\n", on: STDOUT_FILENO)
            StandardStreams.say("store it at the station: valet login valets://HOST\n")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print names, rights, and the hashes of tokens or keys.")

        @OptionGroup var option: FileOption

        func run() throws {
            for entry in try option.file.entries() {
                let (principal, roles) = (entry.principal, entry.principal.roles)
                StandardStreams.say(
                    "\(principal.name)\t\(roles.joined(separator: ","))\t\(entry.proof)\n",
                    on: STDOUT_FILENO)
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Let somebody in no longer.")

        @Argument(help: "Whom.")
        var name: String

        @Argument(help: "The hash of one token or key, as `list` prints it; all of theirs without.")
        var hash: String?

        @OptionGroup var option: FileOption

        func run() throws {
            let proof = try hash.map { text in
                guard let proof = Proof(text) else {
                    throw CommandFailure(
                        .usage, "“token:…” or “SHA256:…” is needed, as `valetd token list` says")
                }
                return proof
            }
            let count = try option.file.revoke(name, proof)
            guard count > 0 else {
                throw CommandFailure(
                    .notFound, "“\(option.tokens)” has no such token or key of “\(name)”")
            }
            let what = count == 1 ? "1 token or key" : "\(count) tokens and keys"
            StandardStreams.say("revoked \(what)\n", on: STDOUT_FILENO)
        }
    }
}
