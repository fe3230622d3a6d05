import Foundation
import TestSupport
import Testing
import ValetModel

@testable import ValetFetch

/// Which files a catalog may name.
@Suite struct SourceFileTests {
    private let folder = TemporaryFolder()

    private func text(_ path: String) throws(ValetError) -> String {
        var options = FetchOptions(source: folder.path + "/catalogs/" + path)
        options.folder = folder.path + "/catalogs/"
        return String(decoding: try Source.document(options).bytes, as: UTF8.self)
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(name), withDestinationPath: target)
    }

    @Test func aFileStandsBesideTheCatalogOrBelow() throws {
        folder.write("a", to: "catalogs/a.csv")
        folder.write("b", to: "catalogs/feeds/b.csv")
        folder.write("secret", to: "other.csv")
        #expect(try text("a.csv") == "a")
        #expect(try text("feeds/b.csv") == "b")
        #expect(try text("feeds/../a.csv") == "a")
        try link("catalogs/out.csv", to: folder.file("other.csv"))
        try link("catalogs/in.csv", to: "feeds/b.csv")
        try link("catalogs/up", to: "..")
        #expect(try text("in.csv") == "b")
        for path in ["../other.csv", "out.csv", "up/other.csv", "../../../../../etc/passwd"] {
            #expect(failure { try text(path) }?.message.contains("beside the catalog") == true)
        }
        // Another folder whose name begins so.
        folder.write("x", to: "catalogs2/x.csv")
        #expect(throws: ValetError.self) { try text("../catalogs2/x.csv") }
    }
}
