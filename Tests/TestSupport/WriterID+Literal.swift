import ValetModel

/// Tests name writers by small numbers.
extension WriterID: ExpressibleByIntegerLiteral {
    public init(integerLiteral number: UInt64) {
        self.init(high: 0, low: number)
    }
}
