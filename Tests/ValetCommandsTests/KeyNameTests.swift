import Testing

@testable import ValetCommands

@Test func keysAreReadInOrder() throws {
    #expect(
        try KeyNames.keys("j,enter,^N,comma,space,shift-left,f1,PgDn")
            == [
                .character("j"), .enter, .control("n"), .character(","), .character(" "),
                .shiftLeft, .function(1), .pageDown,
            ])
    #expect(try KeyNames.keys("") == [])
    #expect(try KeyNames.keys(",,j,") == [.character("j")])
}

@Test func aWordIsTypedLetterByLetter() throws {
    #expect(
        try KeyNames.keys("/,zür,enter")
            == [.character("/"), .character("z"), .character("ü"), .character("r"), .enter])
    #expect(try KeyNames.keys(":,50%,enter").count == 5)
}

@Test func aWordThatIsNearlyAKeyIsRefused() throws {
    #expect(throws: (any Error).self) { try KeyNames.keys("j,pagdown") }
    #expect(throws: (any Error).self) { try KeyNames.keys("/,toyota,entr") }
    // Spelt out, it is typed; and short words are too often near a short name.
    #expect(try KeyNames.keys("e,n,t,r").count == 4)
    #expect(try KeyNames.keys("cab").count == 3)
}

@Test(arguments: ["^NN", "shift-x", "ctrl-a", "a-b"])
func aMisspelledKeyIsRefused(text: String) {
    #expect(throws: (any Error).self) { try KeyNames.keys(text) }
}
