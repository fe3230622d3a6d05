import ArgumentParser
import ValetModel

struct QuestionOptions: ParsableArguments {
    @Option(help: "A grouping's or a column's name.")
    var group: String?

    @Option(
        help: ArgumentHelp(
            "A column to sort by inside sections; more than one for rows that are equal.",
            valueName: "column"))
    var sort: [String] = []

    @Flag(help: "Turn all --sort round.")
    var descending = false

    @OptionGroup var search: SearchOptions

    func validate() throws {
        if descending, sort.isEmpty { throw ValidationError("--descending goes with --sort.") }
    }

    var question: Question {
        Question(
            grouping: group, sort: sort.map { .init(column: $0, isDescending: descending) },
            search: search.question)
    }
}

struct SearchOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: "Text to search for, whatever its case and accents.")
    var search: String?

    @Option(help: "Where to search; `valet lists` names the scopes.")
    var scope: String?

    func validate() throws {
        if scope != nil, search == nil { throw ValidationError("--scope goes with --search.") }
        if let search, search.utf8.count > Limits.bytesPerSearch {
            throw ValidationError("--search takes at most \(Limits.bytesPerSearch) bytes.")
        }
    }

    var question: Question.Search? { search.map { .init(text: $0, scope: scope) } }
}
