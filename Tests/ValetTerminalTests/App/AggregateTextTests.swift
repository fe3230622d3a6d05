import Testing
import ValetModel

@testable import ValetTerminal

private func shown(
    _ value: AggregateValue, _ function: AggregateFunction, _ type: ColumnType = .real,
    _ format: ColumnFormat = .plain
) -> String {
    let column = ColumnDescription(name: "x", type: type, format: format)
    return value.text(function, of: column, Glyphs(isASCII: false))
}

private func real(_ number: Double) -> AggregateValue { .cell(.real(number)) }

private func integer(_ number: Int64) -> AggregateValue { .cell(.integer(number)) }

@Test func sumsAndCountsHaveCommas() {
    #expect(shown(integer(1_234_567), .sum) == "1,234,567")
    #expect(shown(integer(.min), .sum, .integer) == "-9,223,372,036,854,775,808")
    #expect(
        shown(.whole(.max), .sum, .integer) == "170,141,183,460,469,231,731,687,303,715,884,105,727"
    )
    #expect(shown(integer(1_204), .count, .text) == "1,204")
    #expect(shown(integer(1_204), .distinct, .date) == "1,204")
    #expect(shown(real(0.1 + 0.2), .sum) == "0.3")
    #expect(shown(real(12_345.75), .sum) == "12,345.75")
    #expect(shown(real(-0.0), .sum) == "0")
    for odd in [Double.infinity, -.infinity, .nan, 1e300] {
        #expect(shown(real(odd), .sum) == "\(odd)")
        #expect(shown(real(odd), .mean) == "\(odd)")
    }
    #expect(shown(real(1e-300), .sum) == "1e-300")
    #expect(shown(real(1e-300), .mean) == "0.000000000")
}

@Test func valuesHaveTheFormatOfTheirColumn() {
    let money = ColumnFormat.number(decimals: 2, isGrouped: true)
    #expect(shown(integer(1_204), .sum, .integer, money) == "1,204.00")
    #expect(shown(real(1_204.5), .sum, .real, money) == "1,204.50")
    #expect(shown(real(1_204.567), .mean, .real, money) == "1,204.57")
    #expect(shown(real(1_204.5), .least, .real, money) == "1,204.50")
    #expect(shown(integer(0), .greatest, .date, .day) == "1 Jan 1970")
    #expect(shown(real(86_400.5), .mean, .date, .day) == "2 Jan 1970")
    #expect(shown(.cell(.text("2024-02-29")), .least, .date, .monthYear) == "Feb 2024")
    #expect(shown(integer(2_019), .greatest, .integer) == "2019", "as the cells do")
    #expect(shown(.none, .sum) == "–")
}

@Test func meansHaveThreeDigits() {
    #expect(shown(real(2_004.32), .mean, .integer) == "2004.3")
    #expect(shown(real(12.345), .mean) == "12.3")
    #expect(shown(real(1.2345), .mean) == "1.23")
    #expect(shown(real(-0.012_345), .mean) == "-0.0123")
    #expect(shown(real(0), .mean) == "0.0")
    #expect(
        shown(real(1_204.5), .mean, .real, .number(decimals: nil, isGrouped: true)) == "1,204.5")
}
