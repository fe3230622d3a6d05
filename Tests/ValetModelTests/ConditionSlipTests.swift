import Testing

@testable import ValetModel

private let columns = [
    ColumnDescription(name: "make", type: .text), ColumnDescription(name: "year", type: .integer),
    ColumnDescription(name: "parked", type: .date), ColumnDescription(name: "any", type: .blob),
]

private func condition(_ text: String) throws(ConditionError) -> Condition {
    try ConditionReader(columns: columns, now: 1_773_061_350).condition(text)
}

/// What people write who know other languages.
@Test func slipsAreExplained() throws {
    let number = try #require(throws: ConditionError.self) { try condition("year = today") }
    #expect(number.message.contains("“today” is for date columns"))
    #expect(number.typed == "today" && !number.isIncomplete)
    let commas = try #require(throws: ConditionError.self) {
        try condition("year >= 10,00,000")
    }
    #expect(commas.message.hasSuffix("takes numbers, without commas: 1000000"))
    let turned = try condition("year between 2010 and 2005.5").hint(in: columns)
    #expect(turned == "between takes the lower value first: year between 2005.5 and 2010")
    #expect(try condition("year between 2005 and 2010").hint(in: columns) == nil)
    let hint = try condition("make = Audi, Last Week").hint(in: columns)
    #expect(hint?.hasPrefix("“Last Week” is compared as text: “make” is not a date column") == true)
    for (text, slip) in [
        ("make = 'bmw'", "“'bmw'” is searched for with its quotes"),
        ("make = NULL", "use “make missing” to find NULL"),
        ("make = bmw and year > 2015", "write each condition by itself"),
        ("make contains bmw OR make=audi", "write each condition by itself"),
    ] {
        #expect(try condition(text).hint(in: columns)?.contains(slip) == true, "\(text)")
    }
    for (text, slip) in [
        ("year = null", "use “year missing” to find NULL"),
        ("year > 2015 && make = bmw", "write each condition by itself"),
    ] {
        let error = try #require(throws: ConditionError.self) { try condition(text) }
        #expect(error.message.contains(slip) && !error.isIncomplete, "\(text)")
    }
    for text in [
        "make = Rock and Roll", "make = bmw or audi", "make = nullo", "make = ''", "make = '",
        "parked = today", "make = now", "make missing", "any = today",
    ] {
        #expect(try condition(text).hint(in: columns) == nil, "\(text)")
    }
}
