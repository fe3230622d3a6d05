import Testing

@Test func theTestReadsTheWholeRepository() {
    let paths = Repository.files.map(\.path)
    #expect(paths.contains("Package.swift"))
    #expect(paths.contains("Sources/ValetModel/TextFolding+Table.swift"))
    #expect(paths.contains("Tests/TidinessTests/TidinessTests.swift"))
    #expect(Repository.swiftFiles.count > 20)
}

@Test func filesKeepTheirForm() {
    #expect(Repository.files.flatMap(Layout.complaints(about:)) == [])
}

@Test func theTopLevelIsWhatTheDesignSays() throws {
    #expect(Layout.complaints(aboutTopLevel: try Repository.topLevel()) == [])
}

@Test func importsGoUpTheListOfModules() {
    #expect(Repository.swiftFiles.flatMap(Imports.complaints(about:)) == [])
}

@Test func nothingIsLeftOver() {
    #expect(Repository.files.flatMap(Leftovers.complaints(about:)) == [])
}

@Test(arguments: [ReasonedClaims.sharedState, .descriptors, .foundation])
func claimsHaveAReason(claims: ReasonedClaims) {
    let files = Repository.swiftFiles
    #expect(files.flatMap(claims.complaints(about:)) == [])
    #expect(claims.stale(paths: files.map(\.path)) == [])
}
