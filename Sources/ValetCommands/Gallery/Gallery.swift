import Foundation
import ValetModel
import ValetStore

/// The sample lists of `valet demo`, in a database of their own that goes when the program ends.
final class Gallery: Sendable {
    let databasePath: String
    let catalogPath: String
    private let folder: ScratchFolder

    /// - Parameter cars: how many cars stand there.
    init(cars: Int = 20_000) throws(ValetError) {
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
        try connection.run(GalleryTables.sql)
    }
}
