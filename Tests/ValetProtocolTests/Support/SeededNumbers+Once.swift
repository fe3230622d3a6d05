import ValetModel

extension SeededNumbers {
    /// One time in `n`.
    mutating func once(in n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}
