import TestSupport
import Testing
import ValetModel

@testable import ValetTerminal

@Suite struct LineQueryTests {
    private static let lines = [
        "src/main.swift", "src/Manual.md", "docs/manual index.txt", "Makefile", "Citroën C4",
        "manual", "tests/main_test.swift", "", "naïve man",
    ]

    private static func found(_ query: String, in lines: [String] = lines) -> [String] {
        var all = FoundLines()
        all.add(LineChunk(lines.map { Array($0.utf8)[...] }))
        all.find(LineQuery(query))
        return all.numbers(0..<lines.count).map { lines[$0] }
    }

    @Test(arguments: [
        ("citroen", ["Citroën C4"]),
        ("'main .swift$", ["src/main.swift", "tests/main_test.swift"]),
        ("^manual", ["manual", "docs/manual index.txt"].filter { $0.hasPrefix("manual") }),
        ("^manual$", ["manual"]), ("makefile | c4", ["Makefile", "Citroën C4"]),
        ("!man !ma !c", [""]), ("smd", ["src/Manual.md", "docs/manual index.txt"]),
        ("manual !docs !src", ["manual"]),
        ("xyz", []), ("'src/m md", ["src/Manual.md"]),
        // A capital is meant.
        ("Manual", ["src/Manual.md"]), ("MANUAL", []),
        ("!'smd !c !f", ["manual", "", "naïve man"]), ("!M !m", ["Citroën C4", ""]),
        ("!M manual", ["docs/manual index.txt", "manual"]), ("^Make", ["Makefile"]),
        ("'cit", ["Citroën C4"]), ("'Cit C", ["Citroën C4"]), ("ËN", []), ("C4$", ["Citroën C4"]),
        // A blank behind a backslash is one of the word; a bar between nothing is a letter.
        ("'manual\\ index", ["docs/manual index.txt"]), ("index\\ manual", []), ("|", []),
        ("makefile |", ["Makefile"]), ("c4 | | | makefile", ["Citroën C4", "Makefile"]),
    ])
    func aQueryFindsLines(query: String, lines: [String]) {
        #expect(Set(Self.found(query)) == Set(lines))
    }

    @Test func theBestComeFirst() {
        #expect(Self.found("man").first == "manual")
        #expect(Self.found("mt").first == "tests/main_test.swift", "at the beginning of words")
        let lines = ["foobar baz", "fb", "foo_bar", "afxxbx", "FooBar"]
        // As fzf 0.44 orders them.
        #expect(Self.found("fb", in: lines) == ["fb", "FooBar", "foo_bar", "foobar baz", "afxxbx"])
        #expect(Self.found("", in: lines) == lines, "nothing typed: in their order")
        #expect(Self.found("!xx", in: lines) == lines.filter { !$0.contains("xx") })
    }

    @Test(arguments: ["manal", "manaul", "manuall", "menual", "anual"])
    func aSlipOfThePenIsForgivenWhereNothingElseIsFound(typed: String) {
        let lines = ["user manual", "index", "men"]
        #expect(Self.found(typed, in: lines) == ["user manual"])
        #expect(Self.found("mxnxal", in: lines) == [])
    }

    /// The lines that a query finds, best first: every score is counted.
    private static func found(_ query: LineQuery, in chunk: LineChunk) -> [Int] {
        if query.isEmpty { return Array(0..<chunk.count) }
        var found = chunk.find(query, first: 0, among: nil)
        if found.isEmpty { found = chunk.find(query, first: 0, among: nil, takesSlips: true) }
        return found.sorted().map(\.line)
    }

    @Test(arguments: runSeeds(10)) func everySlipOfThePenIsForgiven(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        func letter() -> Character { Array("abcdefgh12")[numbers.below(10)] }
        for _ in 0..<100 {
            let word = (0..<5 + numbers.below(4)).map { _ in letter() }
            var typed = word
            let place = numbers.below(word.count - 1)
            switch numbers.below(4) {
            case 0: typed[place] = "z"
            case 1: typed.insert("z", at: place)
            case 2: typed.remove(at: place)
            default: typed.swapAt(place, place + 1)
            }
            let lines = ["zzzz zzzz", "two \(String(word))-words", "no"]
            #expect(
                Self.found(String(typed), in: lines) == [lines[1]],
                "VALET_SEED=\(seed): \(String(typed))")
        }
    }

    /// While somebody types, only scores of lines that may be shown are counted.
    @Test(arguments: runSeeds(10)) func theBestAreTheBestHoweverTheyAreTyped(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        func text(_ count: Int) -> String {
            String((0..<count).map { _ in Array("aabbcAB/ -_1")[numbers.below(12)] })
        }
        let lines = (0..<3_000).map { _ in Array(text(1 + numbers.below(30)).utf8)[...] }
        var typed = FoundLines()
        for start in stride(from: 0, to: lines.count, by: 500) {
            typed.add(LineChunk(lines[start..<start + 500]))
        }
        let whole = LineChunk(lines)
        for _ in 0..<12 {
            let query = text(2) + (numbers.below(2) == 0 ? " !/b b" : "bac") + text(2)
            for end in 1...query.count {
                typed.find(LineQuery(String(query.prefix(end))))
                if numbers.below(3) == 0 { continue }
                let found = Self.found(LineQuery(String(query.prefix(end))), in: whole)
                let shown = numbers.below(4) == 0 ? 600..<640 : 0..<40
                #expect(
                    typed.numbers(shown) == Array(found[shown.clamped(to: found.indices)]),
                    "VALET_SEED=\(seed): \(query)")
                #expect(typed.count == found.count)
            }
        }
    }

    /// What is found by narrowing, and chunk by chunk, is what is found at once.
    @Test(arguments: runSeeds(20))
    func typingFindsWhatThereIs(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        func text(_ most: Int) -> String {
            String((0..<numbers.below(most)).map { _ in Array("abcAB/ -ä1")[numbers.below(10)] })
        }
        let lines = (0..<300).map { _ in Array(text(24).utf8)[...] }
        var typed = FoundLines()
        var query = ""
        var rest = lines[...]
        for step in 0..<40 {
            if numbers.below(4) == 0, !rest.isEmpty {
                let count = min(1 + numbers.below(40), rest.count)
                typed.add(LineChunk(rest.prefix(count)))
                rest = rest.dropFirst(count)
            } else {
                let keys = Array("abcAB1/ '^$!|-\\")
                if numbers.below(5) == 0 {
                    query = String(query.dropLast(1 + numbers.below(3)))
                } else {
                    query.append(keys[numbers.below(keys.count)])
                }
                typed.find(LineQuery(query))
            }
            let whole = LineChunk(lines.prefix(lines.count - rest.count))
            let found = Self.found(LineQuery(query), in: whole)
            #expect(
                typed.numbers(0..<lines.count) == found, "VALET_SEED=\(seed) \(step): \(query)")
            #expect(typed.count == found.count)
            #expect(typed.numbers(2..<7) == Array(found.dropFirst(2).prefix(5)))
        }
    }

    /// As it is written, wherever folding puts its letters.
    @Test(arguments: runSeeds(10)) func aCapitalIsMeant(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        func text(_ most: Int, of letters: String) -> String {
            let letters = Array(letters)
            let count = numbers.below(most)
            return String((0..<count).map { _ in letters[numbers.below(letters.count)] })
        }
        let lines = (0..<400).map { _ in text(14, of: "aAbBäßŉ ") }
        var found = FoundLines()
        found.add(LineChunk(lines.map { Array($0.utf8)[...] }))
        for _ in 0..<40 {
            let term = text(2, of: "ab") + "A" + text(2, of: "abB")
            for kind in ["", "'", "!"] {
                found.find(LineQuery(kind + term))
                let fitting = lines.indices.filter { number in
                    let line = Array(lines[number].utf8)
                    switch kind {
                    case "":
                        var rest = line[...]
                        return term.utf8.allSatisfy { letter in
                            guard let place = rest.firstIndex(of: letter) else { return false }
                            rest = rest[(place + 1)...]
                            return true
                        }
                    case "'": return lines[number].contains(term)
                    default: return !lines[number].contains(term)
                    }
                }
                #expect(
                    found.numbers(0..<lines.count).sorted() == fitting,
                    "VALET_SEED=\(seed): \(kind)\(term)")
            }
        }
    }

    /// The best of many are those that sorting all of them gives.
    @Test func theBestOfManyAreInOrder() {
        var numbers = SeededNumbers(seed: 5)
        let chunk = { (count: Int) in
            LineChunk(
                (0..<count).map { _ in
                    Array(
                        (0..<2 + numbers.below(9)).map { _ in UInt8(97 + numbers.below(4)) })[...]
                })
        }
        var few = FoundLines()
        let chunks = (0..<5).map { _ in chunk(2_000) }
        for chunk in chunks { few.add(chunk) }
        var all = few
        few.find(LineQuery("ab"))
        all.find(LineQuery("ab"))
        let sorted = all.numbers(0..<all.count)
        #expect(few.count > 1_000)
        for first in [0, 100, 900, few.count - 10] {
            #expect(few.numbers(first..<first + 10) == Array(sorted[first..<first + 10]))
        }
    }
}

@Suite struct LinePickerTests {
    private static func picker(
        _ lines: String..., hasHeader: Bool = false, several: Bool = false
    ) -> LinePicker {
        var picker = LinePicker(
            hasHeader: hasHeader, takesSeveral: several, isASCII: false,
            size: Size(columns: 60, rows: 8))
        picker.add(lines.map { Array($0.utf8)[...] })
        picker.ended()
        return picker
    }

    private static func type(_ text: String, into picker: inout LinePicker) {
        for letter in text { _ = picker.handle(.character(letter)) }
    }

    private static func rows(_ picker: LinePicker) -> [String] {
        var picker = picker
        return picker.draw(at: 0).text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    @Test func enterPicksTheBest() {
        var picker = Self.picker("alpha", "beta", "gamma")
        Self.type("ta", into: &picker)
        let rows = Self.rows(picker)
        #expect(rows[0].hasPrefix(" > ta") && rows[1] == "▌  beta" && rows[2].isEmpty)
        #expect(rows[7].hasPrefix(" 1 of 3") && rows[7].hasSuffix("Enter picks   Esc cancels"))
        #expect(picker.handle(.enter) == .picked([1]))
        #expect(picker.handle(.escape) == .cancelled)
    }

    @Test func aHeaderStaysAndIsNotPicked() {
        var picker = Self.picker("name,age", "ana,5", "bo,7", hasHeader: true)
        #expect(Self.rows(picker)[1...3] == ["   name,age", "▌  ana,5", "   bo,7"])
        Self.type("name", into: &picker)
        #expect(picker.handle(.enter) == nil)
        #expect(Self.rows(picker)[7].hasPrefix(" No line fits"))
        Self.type("", into: &picker)
        _ = picker.handle(.control("u"))
        #expect(picker.handle(.enter) == .picked([0]))
        #expect(Array(picker.line(0)) == Array("ana,5".utf8))
    }

    @Test func severalAreMarked() {
        var picker = Self.picker("a", "b", "c", "d", several: true)
        _ = picker.handle(.down)
        _ = picker.handle(.tab)
        _ = picker.handle(.tab)
        #expect(Self.rows(picker)[1...4] == ["   a", " ◆ b", " ◆ c", "▌  d"])
        _ = picker.handle(.backTab)
        _ = picker.handle(.backTab)
        #expect(picker.handle(.enter) == .picked([1, 3]))
        _ = picker.handle(.control("a"))
        #expect(picker.handle(.enter) == .picked([0, 1, 2, 3]))
        var one = Self.picker("a", "b")
        _ = one.handle(.tab)
        #expect(Self.rows(one)[7].hasPrefix(" Only one line can be picked: see --multi"))
    }

    @Test func whatIsInALineReachesNoTerminal() {
        let picker = Self.picker("a\u{1B}[2Jb\u{7}", "\u{202E}x")
        #expect(
            Self.rows(picker).allSatisfy { row in
                row.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 0x202E }
            })
    }

    @Test func linesMayBeAnything() {
        var picker = LinePicker(
            hasHeader: true, takesSeveral: true, isASCII: true, size: Size(columns: 1, rows: 1))
        picker.add([[0xFF, 0xFE, 0][...], [][...], Array(repeating: 0x61, count: 20_000)[...]])
        for size in [Size(columns: 1, rows: 1), Size(columns: 30, rows: 2)] {
            picker.resize(to: size)
            for key in [Key.down, .pageDown, .end, .home, .tab, .character("a"), .control("a")] {
                _ = picker.handle(key)
                _ = picker.draw(at: 7)
            }
        }
        picker.paste("a\nb\r\nc")
        _ = picker.draw(at: 0)
        #expect(picker.handle(.enter) != .cancelled)
    }
}
