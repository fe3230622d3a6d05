import TestSupport
import Testing
import ValetModel
import ValetSecurity

@Suite struct AccessTokenTests {
    @Test func itsTextIsReadBack() {
        for _ in 0..<100 {
            let token = AccessToken()
            #expect(token.bytes.count == 32)
            #expect(token.text.wholeMatch(of: /valet-[A-Za-z0-9_-]{43}/) != nil)
            #expect(AccessToken(token.text) == token)
            #expect(TokenHash("\(token.hash)") == token.hash)
            #expect(AccessToken() != token)
        }
    }

    @Test func otherTextsAreNone() {
        let text = AccessToken(bytes: Array(repeating: 0, count: 32))?.text ?? ""
        #expect(text == "valet-" + String(repeating: "A", count: 43))
        let wrong = [
            "", "valet-", String(text.dropFirst(6)), String(text.dropLast()), text + "A",
            text + "=", text.dropLast() + "B", text.dropLast() + "+", text.dropLast() + "é",
            " " + text, text.uppercased(),
        ]
        for text in wrong {
            #expect(AccessToken(text) == nil, "\(text)")
            #expect(TokenHash(text.replacing("valet-", with: "token:")) == nil, "\(text)")
        }
        #expect(AccessToken(bytes: []) == nil)
    }

    /// What is written by mistake says nothing.
    @Test func nothingWritesIt() {
        let token = AccessToken()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(!text.contains(token.text) && !text.contains("\(token.bytes[0]), "))
        }
    }

    @Test func aHashIsNotTheToken() {
        let token = AccessToken()
        #expect(!"\(token.hash)".contains(token.text.dropFirst(6)))
        #expect(TokenHash(token.text) == nil)
    }
}
