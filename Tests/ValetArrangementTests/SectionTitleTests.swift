import Testing
import ValetArrangement
import ValetModel

/// Titles of sections, and sections by their titles.
@Suite struct SectionTitleTests {
    /// The sections of a list of one column.
    private static func rows(
        _ cells: [Cell], _ type: ColumnType = .text, by expression: SectionExpression = .wholeValue,
        template: String? = nil, isDescending: Bool = false, usesTwelveHours: Bool = false,
        isBoolean: Bool = false
    ) throws -> ArrangedRows {
        let specification = ArrangementSpecification(
            sectionColumn: expression == .none ? nil : 0, expression: expression,
            isDescending: isDescending)
        return try Snapshot(of: ModelList(cells, type: type)).opening(specification)
            .rows(
                specification,
                SectionTitles(
                    template: template, indexTitles: .wholeValue,
                    usesTwelveHours: usesTwelveHours, isBoolean: isBoolean))
    }

    @Test func aBooleanIsTitledYesOrNoAndFoundByItsNumberToo() throws {
        let cells: [Cell] = [.integer(1), .integer(0), .integer(2), .text("yes!"), .null]
        let rows = try Self.rows(cells, .boolean, template: "{}?", isBoolean: true)
        let sections = rows.sections(from: 0, count: 9)
        let titles = ["No?", "Yes?", "2?", "yes!?", "–?"]
        #expect(sections.map(\.title) == titles)
        #expect(sections.map(\.indexTitle) == Array(titles.dropLast() + ["–"]))
        for (title, section) in [
            ("No?", 0), ("YES?", 1), ("yes", 1), ("no", 0), ("0", 0), ("1", 1), ("1?", 1), ("2", 2),
            ("yes!", 3),
        ] {
            #expect(rows.section(titled: title) == section, "\(title)")
        }
        #expect(rows.section(titled: "true") == nil)
        let plain = try Self.rows(cells, .integer)
        #expect(plain.sections(from: 0, count: 2).map(\.title) == ["0", "1"])
        #expect(plain.section(titled: "yes") == nil)
    }

    @Test func hoursOfTwelveAreTitledAndFoundAsTheyAreShown() throws {
        let cells = (0..<24).map { Cell.integer($0 * 3_600) } + [.text("soon")]
        let rows = try Self.rows(cells, .date, by: .hourOfDay, usesTwelveHours: true)
        let hours = ["12"] + (1...11).map(String.init)
        let titles = hours.map { $0 + " AM" } + hours.map { $0 + " PM" } + ["–"]
        let sections = rows.sections(from: 0, count: 99)
        let indexed = Array(titles.dropLast() + ["–"])
        #expect(sections.map(\.title) == titles && sections.map(\.indexTitle) == indexed)
        #expect(rows.index(most: 99).map(\.title) == indexed)
        for (section, title) in titles.enumerated() {
            #expect(rows.section(titled: title) == section)
            #expect(rows.section(titled: title.lowercased()) == section)
        }
        #expect(rows.section(withTitlePrefix: "11 p") == 23)
        for title in ["23:00", "0 AM", "13 PM", "11"] {
            #expect(rows.section(titled: title) == nil, "\(title)")
        }
    }

    @Test func aListWithoutSectionsHasNoTitle() throws {
        let rows = try Self.rows([.text("a"), .text("b")], by: .none, template: "All {}")
        #expect(rows.sections(from: 0, count: 9).map(\.title) == [""])
        #expect(rows.window(at: .ordinal(0), rowsBefore: 0, rows: 2)?.runs.map(\.title) == [""])
        #expect(rows.section(titled: "") == 0)
        #expect(rows.section(titled: "All ") == nil)
    }

    @Test(arguments: ["below 1", "BELOW 1", "Below 1"])
    func aRangeIsFoundWhateverTheCaseOfItsWords(title: String) throws {
        let rows = try Self.rows([.integer(0), .integer(5)], .integer, by: .ranges(bounds: [1]))
        #expect(rows.section(titled: title) == 0)
        #expect(rows.section(titled: "1 AND MORE") == 1)
    }

    @Test func aBlobIsFoundWhateverTheCaseOfItsWord() throws {
        let rows = try Self.rows([.text("a"), .blob(bytes: [0], byteCount: 1)], .blob)
        #expect(rows.section(titled: "1 BYTE") == 1)
    }

    @Test(arguments: ["Names in ‘É’!", "NAMES IN ‘e’!", "names in ‘ë’!", "e"])
    func aTemplatesWordsAreFoundInAnyCaseAndCanBeLeftOut(title: String) throws {
        let rows = try Self.rows([.text("a"), .text("É")], template: "Names in ‘{}’!")
        #expect(rows.section(titled: title) == 1)
    }

    @Test func aWholeTitleGoesBeforeAValueThatIsTheSame() throws {
        let rows = try Self.rows([.text("a"), .text("The a")], template: "The {}")
        #expect(rows.section(titled: "The a") == 0)
        #expect(rows.section(titled: "The The a") == 1)
    }

    @Test(arguments: [false, true])
    func aCutTitleIsFoundAsItIsShown(isDescending: Bool) throws {
        let long = String(repeating: "Évora ", count: 60)
        let cells = ["A", long, long + "2", "Z", String(repeating: "e", count: 200)]
        let rows = try Self.rows(cells.map(Cell.text), isDescending: isDescending)
        let titles = rows.sections(from: 0, count: 9).map(\.title)
        let cut = try #require(titles.firstIndex { $0.utf8.count == Limits.bytesPerTitle })
        #expect(titles.count { $0 == titles[cut] } == 2)
        #expect(rows.section(titled: titles[cut]) == cut)
        #expect(rows.section(titled: titles[cut].uppercased()) == cut)
        #expect(rows.section(titled: titles[cut] + "x") == nil)
    }

    @Test(arguments: [230, 250, 300])
    func aTitleThatIsCutInItsTemplateIsFound(length: Int) throws {
        let words = String(repeating: "w", count: length)
        for template in [words + "{}", "{}" + words] {
            let rows = try Self.rows([.text("a"), .text("b"), .integer(7)], template: template)
            for section in rows.sections(from: 0, count: 9) {
                let found = try #require(rows.section(titled: section.title.uppercased()))
                #expect(rows.sections(from: found, count: 1).map(\.title) == [section.title])
            }
        }
    }

    @Test(arguments: [false, true])
    func ofTwoSectionsWithOneTitleTheFirstIsFound(isDescending: Bool) throws {
        let rows = try Self.rows(
            [.integer(1), .integer(2), .text("2"), .text("z")], .integer,
            isDescending: isDescending)
        let titles = rows.sections(from: 0, count: 9).map(\.title)
        #expect(titles.count { $0 == "2" } == 2)
        #expect(rows.section(titled: "2") == titles.firstIndex(of: "2"))
        // Only the number's section is one of the number 2.0.
        #expect(rows.section(titled: "2.0") == (isDescending ? 2 : 1))
    }

    @Test func aBeginningIsFoundUnderATemplateAndInADescendingOrder() throws {
        let cells = (0..<2_000).map { Cell.text("name \(10_000 + $0)") }
        let rows = try Self.rows(cells, template: "The {}", isDescending: true)
        #expect(rows.section(withTitlePrefix: "the NAME 1000") == 1_990)
        #expect(rows.section(withTitlePrefix: "the z") == nil)
    }
}
