import Foundation
import ValetModel
import ValetStore

/// The sample lists of `valet demo`, in a database of their own that goes when the program ends.
final class Gallery: Sendable {
    let databasePath: String
    let catalogPath: String
    private let folder: ScratchFolder
    /// Writes the next edition of the albums' feed now and then.
    private let editions: Task<Void, Never>

    /// - Parameter cars: how many cars stand there.
    init(cars: Int = 20_000, sections: GallerySections = .usual) throws(ValetError) {
        ScratchFolder.removeLeftovers()
        folder = try ScratchFolder()
        databasePath = folder.path + "/gallery.sqlite"
        catalogPath = folder.path + "/gallery.yaml"
        guard
            FileManager.default.createFile(
                atPath: catalogPath, contents: Data(GalleryCatalog.yaml.utf8))
        else { throw ValetError(.storageFailed, "can't write “\(catalogPath)”") }
        let connection = try Connection(path: databasePath, access: .create)
        try FleetWriter(fleet: Fleet(seed: 1), rows: cars).fill(connection)
        try connection.run(GalleryTables.sql(sections))
        let feed = folder.path + "/albums.xml"
        try Self.write(edition: 0, to: feed)
        editions = Task {
            for edition in 1... {
                let pause = Duration.seconds(GalleryAlbums.secondsPerEdition)
                guard (try? await Task.sleep(for: pause)) != nil else { return }
                try? Self.write(edition: edition, to: feed)
            }
        }
    }

    deinit { editions.cancel() }

    /// Readers see the old edition or the new one, never a part.
    private static func write(edition: Int, to path: String) throws(ValetError) {
        do {
            try Data(GalleryAlbums.rss(edition: edition).utf8).write(
                to: URL(filePath: path), options: .atomic)
        } catch {
            throw ValetError(.storageFailed, "can't write “\(path)”")
        }
    }
}
