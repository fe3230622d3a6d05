import Testing
import ValetModel

@testable import ValetTerminal

/// Fields that a catalog bounds.
@Suite struct FormRuleTests {
    private static let ruled = PlainCars.cars.with {
        $0.columns[0].rules.maxLength = 6
        $0.columns[2].rules = ColumnRules(minimum: 1_908, maximum: 2_027)
        $0.columns[4].rules.choices = [.text("Ana"), .text("Bo"), .text("Chloé")]
    }

    @Test func aFieldSaysWhichRuleItBreaks() {
        var talk = ServedApp(lists: [Self.ruled])
        talk.press("+", .text("Bugatti"), "tab", "tab", .text("1907"))
        talk.press("tab", "tab", .text("Zoe"), "tab", "^S")
        let text = talk.app.draw().text
        for problem in [
            "! at most 6 characters long", "! at least 1908", "! one of Ana, Bo, Chloé",
        ] {
            #expect(text.contains(problem))
        }
        #expect(talk.app.form?.selected == 0, "the first problem takes the caret")
        #expect(!talk.actions.contains { if case .call(.submit) = $0 { true } else { false } })
    }

    @Test func fieldsThatNeedAValueAndThoseWithChoicesAreMarked() {
        let list = Self.ruled.with { $0.columns[0].isRequired = true }
        var talk = ServedApp(
            lists: [list], size: Size(columns: 80, rows: 10),
            options: AppOptions(isASCII: true), after: "+")
        talk.expectScreen(
            """
             New row  Cars                                                          * live

            >  Make  *
               Model    (default)
               Year     (default)
               Fuel     (default)
               Owner v  Nobody (default)


             * required  v Enter picks           ^S save   Enter next   Esc back   F1 help
            """)
        talk.press("x")
        #expect(talk.status.hasPrefix(" 1 change "))
    }

    @Test func aChoiceIsPicked() {
        var talk = ServedApp(lists: [Self.ruled], after: "+", "tab", "tab", "tab", "tab", "space")
        #expect(talk.app.palette?.items.map(\.title) == ["Ana", "Bo", "Chloé", "NULL"])
        talk.press(.text("ch"), "enter")
        #expect(talk.app.palette == nil && talk.app.draw().text.contains("• Owner ▾  Chloé"))
        talk.press("space", "down", "esc", "^S")
        #expect(
            talk.actions.contains(
                .call(
                    .submit(
                        number: 1, list: Self.ruled,
                        .insert([4: .text("Chloé")])))))
    }
}
