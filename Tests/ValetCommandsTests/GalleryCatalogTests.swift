import Foundation
import TestSupport
import Testing
import ValetStore

@testable import ValetCommands

/// Lists that use all that a catalog has.
@Test func theCatalogOfTheGalleryIsTakenBack() throws {
    let gallery = try Gallery()
    let folder = TemporaryFolder()
    let first = try Database(path: gallery.databasePath, catalogPath: gallery.catalogPath)
    let text = CatalogText.yaml(
        of: first.catalog.lists, tables: first.tableNames, sources: first.listSources,
        onlyThese: first.hasHiddenTables)
    let printed = folder.file("printed.yaml")
    try text.write(toFile: printed, atomically: true, encoding: .utf8)
    let again = try Database(path: gallery.databasePath, catalogPath: printed)
    #expect(again.catalog == first.catalog && again.tableNames == first.tableNames)
    #expect(first.catalog.lists.count > 5)
}
