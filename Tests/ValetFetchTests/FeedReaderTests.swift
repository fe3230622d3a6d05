import Foundation
import Testing
import ValetModel

@testable import ValetFetch

/// What feeds become, and which are refused.
@Suite struct FeedReaderTests {
    private func items(
        _ document: String, kind: SourceKind? = nil, fields: [String] = []
    ) throws(ValetError) -> [FeedItem] {
        try FeedReader.items(
            of: Array(document.utf8), FetchOptions(source: "x", kind: kind, fields: fields))
    }

    private func items(of document: Data?) throws -> [FeedItem] {
        try FeedReader.items(of: Array(try #require(document)), FetchOptions(source: "x"))
    }

    /// A feed of one item with these elements.
    private func feed(_ elements: String, attributes: String = "") -> String {
        "<rss><channel><item\(attributes)>\(elements)</item></channel></rss>"
    }

    @Test func rssAndAtomHaveTheSameFields() throws {
        let rss = """
            <rss version="2.0"><channel><title>no item</title><item>
            <guid>a</guid><title>Ö &amp; U</title><link>http://x/a</link><author>Ann</author>
            <pubDate>Sun, 22 Nov 2026 11:30:00 GMT</pubDate><category>b</category>
            <category>c</category><description><![CDATA[<p>one</p><p>two</p>]]></description>
            </item></channel></rss>
            """
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>no entry</title><entry>
            <id>a</id><title type="html">Ö &amp;amp; U</title><link rel="self" href="no"/>
            <link href="http://x/a"/><author><name>Ann</name><email>a@x</email></author>
            <published>2026-11-22T11:30:00Z</published><category term="b"/><category term="c"/>
            <content type="xhtml"><div><p>one</p> <p>two</p></div></content></entry></feed>
            """
        let fields = ["id", "title", "link", "author", "category", "summary"]
        let texts = try [rss, atom].map { document in
            String(
                decoding: FeedTable.csv(of: try items(document, fields: fields), fields: fields),
                as: UTF8.self)
        }
        #expect(texts[0] == texts[1])
        let row = texts[0].split(separator: "\r\n").last
        #expect(row == #""a","Ö & U","http://x/a","Ann","b, c","one two""#)
    }

    @Test func aFieldIsTheElementOfItsName() throws {
        let document = #"<rss><channel><item><dc:x>1</dc:x><x>2</x></item></channel></rss>"#
        #expect(try items(document, fields: ["dc:x"]).map(\.texts) == [["dc:x": "1"]])
    }

    @Test(arguments: [
        ("", "is expected"), ("hello", "no XML"), ("<html><p>x</p></html>", "neither “rss” nor"),
        ("<rss><channel><item><title>x", "cut off"),
        ("<rss><channel><item></channel></rss>", "malformed"),
        ("<rss><channel><title>\u{1}</title></channel></rss>", "malformed"),
        (#"<!DOCTYPE r [<!ENTITY a "b">]><rss/>"#, "declarations"),
        (#"<!-- > --><?x <y> ?><!DOCTYPE r SYSTEM "d" [ ]><rss/>"#, "declarations"),
        (#"<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss>&x;</rss>"#, "declarations"),
        (#"<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><rss/>"#, "declarations"),
        ("<feed/>", "Atom, not RSS"),
    ]) func aTextThatIsNoFeedIsRefused(_ document: String, _ reason: String) {
        let error = #expect(throws: ValetError.self) {
            try items(document, kind: .rss)
        }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func entitiesAreRefusedInEveryEncoding() throws {
        func hasDeclarations(_ text: String, _ encoding: String.Encoding = .utf8) throws -> Bool {
            let document = text.data(using: encoding)
            let error = #expect(throws: ValetError.self) { try items(of: document) }
            return try #require(error).message.contains("declarations")
        }
        for encoding in [String.Encoding.utf8, .utf16, .utf16BigEndian, .utf32] {
            #expect(try hasDeclarations(laughs, encoding))
        }
        // A byte of this letter is that of a quote.
        let quote = "<!DOCTYPE rss SYSTEM '\u{2700}' [<!ENTITY l0 'lol'>]><rss/>"
        #expect(try hasDeclarations(quote, .utf16))
        let seven =
            "<?xml version='1.0' encoding='UTF-7'?>+ADwAIQ-DOCTYPE r [+ADwAIQ-ENTITY a 'b'>]>"
        #expect(try hasDeclarations(seven))
        #expect(try !hasDeclarations("<rss><![CDATA[<!DOCTYPE a ["))
        #expect(try !hasDeclarations("<!DOCTYPE rss PUBLIC 'x'><rss>["))
        #expect(try hasDeclarations("<!DOCTYPE r SYSTEM '>' [<!ENTITY"))
    }

    @Test(arguments: [
        "<?xml version='1.0'?><?xml version='1.0' encoding='UTF-7'?><rss/>",
        "\u{FEFF}<?xml version='1.0' ?><?xml version='1.0' encoding='UTF-7'?><rss/>",
        " <?xml version='1.0' encoding='UTF-7'?><rss/>", "<?xml version='1.0' encoding='x'?><rss/>",
    ]) func aSecondDeclarationIsRefused(_ text: String) {
        #expect(throws: ValetError.self) { try items(text) }
    }

    @Test func attributesOfAnElementAreLimited() throws {
        func document(_ count: Int, before: String = "") -> String {
            let attributes = (0..<count).map { " a\($0)='>'" }.joined()
            return before + feed("<title>x</title>", attributes: attributes)
        }
        let limit = Limits.attributesPerElement
        #expect(try items(document(limit)).count == 1)
        // A byte of this letter is that of a quote.
        let hidden = document(limit + 1, before: "<!DOCTYPE rss SYSTEM '\u{2700}'>")
        #expect(throws: ValetError.self) { try items(of: hidden.data(using: .utf16)) }
        for before in [
            "", "<!---->", "<!--->-->", "<!DOCTYPE rss SYSTEM '><!--'>", "<?x '?>", "<!--'-->",
        ] {
            let error = #expect(throws: ValetError.self) {
                try items(document(limit + 1, before: before))
            }
            #expect(error?.message.contains("attributesPerElement") == true, "\(before)")
        }
    }

    private var laughs: String {
        let entities = (1...9).map { number in
            let uses = String(repeating: "&l\(number - 1);", count: 10)
            return #"<!ENTITY l\#(number) "\#(uses)">"#
        }
        return #"<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">\#(entities.joined())]>"#
            + feed("<title>&l9;</title>")
    }

    @Test func otherEncodingsAreRead() throws {
        let text = feed("<title>Café</title>")
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + text
        let utf16 = "<?xml version='1.0' encoding='UTF-16'?>" + text
        let latin9 = "<?xml version=\"1.0\"\n encoding=\"iso-8859-15\"?>" + text
        for data in [
            latin.data(using: .isoLatin1), utf16.data(using: .utf16),
            latin9.data(using: .isoLatin1),
            Data([0xEF, 0xBB, 0xBF]) + Data(latin.utf8), utf16.data(using: .utf32),
        ] {
            #expect(try items(of: data).map(\.texts) == [["title": "Café"]])
        }
        let wrong = "<?xml version='1.0' encoding='UTF-8'?>" + text
        #expect(throws: ValetError.self) { try items(of: wrong.data(using: .isoLatin1)) }
    }

    // MARK: Limits

    @Test func depthIsLimited() throws {
        let inner = Limits.depthOfSource - 4
        func document(_ count: Int) -> String {
            feed(
                "<title>" + String(repeating: "<b>", count: count)
                    + String(repeating: "</b>", count: count) + "</title>")
        }
        #expect(try items(document(inner)).count == 1)
        #expect(throws: ValetError.self) { try items(document(inner + 1)) }
    }

    @Test func textsAreLimited() throws {
        func document(_ count: Int) -> String {
            feed(
                "<title>" + String(repeating: "x", count: count) + "</title><skipped>"
                    + String(repeating: "y", count: 2 << 20) + "</skipped>")
        }
        #expect(try items(document(Limits.bytesPerSourceText)).count == 1)
        let error = #expect(throws: ValetError.self) {
            try items(document(Limits.bytesPerSourceText + 1))
        }
        #expect(error?.code == .limitExceeded)
        let many = String(repeating: "<category>xxxxxxx</category>", count: 150_000)
        #expect(throws: ValetError.self) { try items(feed(many)) }
    }

    @Test func itemsAreLimited() throws {
        func document(_ count: Int) -> String {
            "<rss><channel>" + String(repeating: "<item/>", count: count) + "</channel></rss>"
        }
        #expect(try items(document(Limits.rowsPerSource)).count == Limits.rowsPerSource)
        #expect(throws: ValetError.self) { try items(document(Limits.rowsPerSource + 1)) }
    }
}

@Suite struct FeedTextTests {
    @Test(arguments: [
        ("Sun, 22 Nov 2026 11:30:00 GMT", "2026-11-22 11:30:00Z"),
        ("2 Feb 99 01:02 EST", "1999-02-02 01:02:00-05:00"),
        ("22 Nov 2026 11:30:05 +0200", "2026-11-22 11:30:05+02:00"),
        ("22 Nov 2026 11:30:05 -0000", "2026-11-22 11:30:05Z"),
        ("2026-11-22T11:30:00Z", nil), ("tomorrow", nil), ("99 Foo 2026 11:30 GMT", nil),
    ]) func datesOfRSSBecomeOnesOfISO(_ text: String, _ date: String?) {
        #expect(FeedDate.iso8601(text) == date)
    }

    @Test(arguments: [
        ("a &amp; b &#233; &#x1F600; &lt;b&gt; &bogus;", "a & b é 😀 <b> &bogus;"),
        ("<p>one</p><br/>two<!-- three --> <a href='x'>four</a>", "one two four"),
        ("3 < 4 && 5 > 4", "3 < 4 && 5 > 4"), ("a<b", "a<b"),
        ("&#xFFFFFFFFF;&#0;", "&#xFFFFFFFFF;\0"),
    ]) func htmlBecomesWhatAPersonReads(_ html: String, _ text: String) {
        #expect(PlainText.text(ofHTML: html) == text)
    }

    @Test func aLongTextOfTagsTakesNoQuadraticTime() {
        let html = String(repeating: "<a", count: 200_000)
        #expect(PlainText.text(ofHTML: html) == html)
    }
}
