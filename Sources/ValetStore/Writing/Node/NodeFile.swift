import ValetModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Puts a copy of another node's file in the place of a node's own.
package enum NodeFile {
    /// Where the copy is until it is whole.
    package static func copy(ofOther path: String) -> String { path + "-of-leader" }

    /// The file at the path is the old or the new one, whenever this ends; nobody else may have it
    /// open. What was there before stays beside it until the next time.
    ///
    /// - Parameter path: of the node's file. The copy is whole, and was checked.
    package static func replaceByCopy(_ path: String) throws(ValetError) {
        let target = try FilePath.existingFile(path)
        let copy = try CopiedFile(copy(ofOther: path))
        let ownership = try Ownership(of: target, address: "valetd")
        defer { withExtendedLifetime(ownership) {} }
        try FilePath.give(copy.path, rightsOf: target)
        let old = try Connection(path: target, access: .write)
        // SQLite would take its log for the new one's.
        try old.takeAlone()
        FilePath.remove(target + "-journal")
        let kept = target + "-before"
        FilePath.remove(kept)
        guard link(target, kept) == 0 else { throw FilePath.failure(kept, errno, doing: "make") }
        try copy.move(to: target)
        withExtendedLifetime(old) {}
    }
}
