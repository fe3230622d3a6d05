import Testing
import ValetModel

@Test(arguments: ["rwos", "row", "rowss", "rews", "orws", "ros"])
func aSlipIsNearItsName(word: String) {
    #expect(Spelling.isSlip(word, of: "rows"))
}

@Test(arguments: ["rows", "", "r", "swor", "rowing", "cars", "ro"])
func aWordThatIsRightOrFarIsNoSlip(word: String) {
    #expect(!Spelling.isSlip(word, of: "rows"))
}
