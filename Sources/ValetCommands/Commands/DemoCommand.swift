import ArgumentParser
import Foundation
import ValetModel

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Open the gallery: sample lists to try and to change.",
        discussion: """
            The lists are in a temporary database, which is deleted at the end. Every command \
            takes demo: as a target for it. With --listen, others can join, and there is no \
            screen.
            """)

    @Option(help: "Serve the gallery at HOST:PORT instead.")
    var listen: String?

    @Option(help: "How many sections the list of sections has, and how many rows each.")
    var sections = "1000x20"

    func run() async throws {
        guard let listen else {
            try await OpenCommand.asyncParse(["demo:\(sections)"]).run()
            StandardStreams.say("The gallery was a copy: what you changed in it is gone.\n")
            return
        }
        let gallery = try Gallery(sections: GallerySections(sections))
        try await ServeCommand.parse([
            gallery.databasePath, "--catalog", gallery.catalogPath, "--listen", listen,
        ]).run()
        withExtendedLifetime(gallery) {}
    }
}
