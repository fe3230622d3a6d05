import Testing

@testable import ValetModel

private func index(of name: String, in names: [String]) -> Int? {
    let found = NameLookup.index(of: name, in: names, by: \.self)
    #expect(NameIndex(names)[name] == found)
    return found
}

/// To SQLite, and here, names are bytes: Swift takes these two for equal.
@Test func twoWaysToWriteAnAccentAreTwoNames() {
    #expect(index(of: "e\u{301}", in: ["\u{e9}", "e\u{301}"]) == 1)
    #expect(index(of: "\u{e9}", in: ["e\u{301}", "\u{e9}"]) == 1)
    #expect(index(of: "x", in: ["x", "x"]) == 0)
}

@Test func aNameIsFoundInAnySpelling() {
    #expect(index(of: "MAKE", in: ["Parked", "Make"]) == 1)
    #expect(index(of: "große", in: ["Klein", "GROSSE"]) == 1)
}

@Test func theSameSpellingGoesBeforeAnEarlierOneThatFoldsAlike() {
    #expect(index(of: "make", in: ["Make", "make"]) == 1)
    #expect(index(of: "MAKE", in: ["Make", "make"]) == 0)
}

@Test func anUnknownNameIsNotFound() {
    #expect(index(of: "Mak", in: ["Make"]) == nil)
    #expect(index(of: "", in: ["Make"]) == nil)
    #expect(index(of: "Make", in: []) == nil)
}

@Test func anUnknownListSaysWhichThereAre() throws {
    let catalog = Catalog(lists: [])
    #expect(throws: ValetError.self) { try catalog.list(named: "cars") }
}

@Test func theLimitsAgreeWithEachOther() {
    Limits.checkRelations()
}
