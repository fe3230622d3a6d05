/// Something that Tab, or Enter when it is chosen, puts in place of what is typed.
struct Completion: Hashable, Sendable {
    var text: String
    /// What stands beside it: a label, or how many rows there are.
    var note: String

    /// Where an arrow key leads among `count` completions. Between the last and the first stands
    /// what was typed: nil.
    static func place(after chosen: Int?, by step: Int, of count: Int) -> Int? {
        guard count > 0 else { return nil }
        let place = ((chosen ?? count) + step + count + 1) % (count + 1)
        return place == count ? nil : place
    }
}
