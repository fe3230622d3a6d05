import Testing
import ValetModel
import ValetProtocol

@testable import ValetClient

extension BrokenServerTests {
    @Test(arguments: [
        Lie<AggregatesAnswer>("P34") { $0.generation = 2 }, Lie("P23") { $0.request = 77 },
        Lie("P68") { $0.aggregates.revision = 1 },
        Lie("P155") { $0.aggregates.allRows = nil },
        Lie("P155") { $0.aggregates.allRows?.count = 999 },
        Lie("P155") { $0.aggregates.sections.swapAt(0, 1) },
        Lie("P155") { $0.aggregates.sections[1].section = 4 },
        Lie("P155") { $0.aggregates.sections.append($0.aggregates.sections[0]) },
        Lie("P155") { $0.aggregates.sections[0].rows.count = 0 },
        Lie("P155") { $0.aggregates.sections[0].rows.count = Limits.largestCount },
        Lie("P156") { $0.aggregates.allRows?.values = [] },
        Lie("P156") { $0.aggregates.sections[0].rows.values.append(.none) },
    ])
    func aggregates(lie: Lie<AggregatesAnswer>) throws {
        var dialogue = try Dialogue.opened()
        let asked = try dialogue.askAggregates(sections: [3, 1]).sentMessages
        guard case .aggregatesRequest(let request) = asked.first else { return }
        var answer = Cars.aggregates(request)
        #expect(dialogue.session.failure == nil)
        lie.tell(&answer)
        expect(dialogue.say(.aggregatesAnswer(answer), stream: 1), lie.rule)
    }
}
