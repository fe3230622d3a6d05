import Testing

@testable import ValetModel

@Test(
    arguments: [
        // To SQLite, and here, names are bytes: Swift takes these two for equal.
        ("e\u{301}", ["\u{e9}", "e\u{301}"], 1), ("\u{e9}", ["e\u{301}", "\u{e9}"], 1),
        ("x", ["x", "x"], 0),
        // A name is found in any spelling, but the same one goes before an earlier one.
        ("MAKE", ["Parked", "Make"], 1), ("große", ["Klein", "GROSSE"], 1),
        ("make", ["Make", "make"], 1), ("MAKE", ["Make", "make"], 0),
        ("Mak", ["Make"], nil), ("", ["Make"], nil), ("Make", [], nil),
    ] as [(String, [String], Int?)])
func aNameIsFound(name: String, names: [String], index: Int?) {
    #expect(NameLookup.index(of: name, in: names, by: \.self) == index)
    #expect(NameIndex(names)[name] == index)
}

@Test func anUnknownListSaysWhichThereAre() throws {
    let catalog = Catalog(lists: [])
    #expect(throws: ValetError.self) { try catalog.list(named: "cars") }
}

@Test func theLimitsAgreeWithEachOther() {
    Limits.checkRelations()
}

@Test(arguments: ["rwos", "row", "rowss", "rews", "orws", "ros"])
func aSlipIsNearItsName(word: String) {
    #expect(Spelling.isSlip(word, of: "rows"))
}

@Test(arguments: [
    ("colour", "color"), ("lsts", "lists"), ("sorting", "sort"),
    ("group", "grouping"),
])
func aWordMayMeanANameThatIsNear(word: String, name: String) {
    let names = ["color", "sort-then", "sort", "grouping", "lists"]
    #expect(Spelling.meant(by: word, among: names) == name)
}

@Test(arguments: ["", "so", "lst", "table", "x"])
func aWordThatIsFarFromAllMeansNone(word: String) {
    #expect(Spelling.meant(by: word, among: ["color", "sort", "lists"]) == nil)
}

@Test(arguments: ["rows", "", "r", "swor", "rowing", "cars", "ro"])
func aWordThatIsRightOrFarIsNoSlip(word: String) {
    #expect(!Spelling.isSlip(word, of: "rows"))
}
