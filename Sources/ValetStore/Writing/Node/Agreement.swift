import ValetModel

/// How a cluster decides about the entries of the node that leads it.
package struct Agreement {
    /// Of the leadership: see `Entry`.
    package let term: UInt64
    /// Called with an entry that was made, before the COMMIT of its transaction. Returns when the
    /// cluster's log has it as the next one, with what the file keeps of that (`NodeMark`); throws
    /// if it has another one there, or if that isn't known: then the transaction is taken back.
    package let decide: (_ entry: [UInt8]) throws(ValetError) -> [UInt8]

    package init(term: UInt64, decide: @escaping ([UInt8]) throws(ValetError) -> [UInt8]) {
        (self.term, self.decide) = (term, decide)
    }
}
