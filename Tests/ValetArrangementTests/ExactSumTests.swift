import Testing
import ValetArrangement
import ValetModel
import ValetReference

@Suite struct ExactSumTests {
    private static let hostile: [Cell] =
        [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max, 1 << 53, (1 << 53) + 1].map(Cell.integer)
        + ([
            0, -0.0, 0.1, -0.1, 1e16, 1, 1e308, -1e308, .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
            .leastNormalMagnitude, .leastNormalMagnitude.nextDown, 0x1p53, 0x1p63, 0x1p-1060,
        ] as [Double]).map(Cell.real)

    @Test func randomSumsAndMeansAreTheExactOnesRoundedOnce() {
        let seed: UInt64 = 20_261_122
        var random = SeededNumbers(seed: seed)
        for round in 0..<400 {
            let count = random.below(40) + 1
            let isHostile = random.below(2) == 0
            var numbers: [Cell] = []
            while numbers.count < count {
                if isHostile || random.below(8) == 0 {
                    numbers.append(Self.hostile[random.below(Self.hostile.count)])
                } else if random.below(3) == 0 {
                    numbers.append(.integer(Int64(bitPattern: random.next())))
                } else {
                    // Any bits but infinities and NaN; neighbours often cancel out nearly.
                    let real = Double(bitPattern: random.next())
                    guard real.isFinite else { continue }
                    numbers.append(.real(real))
                    if random.below(2) == 0 { numbers.append(.real(-real.nextUp)) }
                }
            }
            check(numbers, "seed \(seed), round \(round)")
            check(numbers.reversed(), "seed \(seed), round \(round), reversed")
        }
    }

    private func check(_ numbers: [Cell], _ place: Comment) {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        let column = ColumnDescription(name: "number", type: .real)
        let reference = ReferenceAggregate(numbers, of: column)
        #expect(sum.sum == reference.value(.sum), place)
        #expect(sum.mean == reference.value(.mean), place)
    }

    @Test func aNumberAddedManyTimesIsTheSameAsManyNumbers() {
        let seed: UInt64 = 3
        var random = SeededNumbers(seed: seed)
        for round in 0..<200 {
            let times = random.below(50)
            var (one, many) = (ExactSum(), ExactSum())
            let number = Self.hostile[random.below(Self.hostile.count)]
            one.add(number, times: UInt32(times))
            for _ in 0..<times { many.add(number) }
            #expect(one.mean == many.mean, "seed \(seed), round \(round)")
            if times > 0 { #expect(one.sum == many.sum, "seed \(seed), round \(round)") }
        }
    }

    @Test func integersBeyond64BitsStayExact() {
        var sum = ExactSum()
        for _ in 0..<3 { sum.add(Int64.max) }
        #expect(sum.sum == .whole(Int128(Int64.max) * 3))
        sum.add(.min, times: .max)
        #expect(sum.sum == .whole(Int128(Int64.max) * 3 + Int128(Int64.min) * Int128(UInt32.max)))
        sum.add(Int64.max, times: .max)
        #expect(sum.sum == .whole(Int128(Int64.max) * 3 - Int128(UInt32.max)))
    }

    @Test func aMeanDoesNotOverflowWhereItsSumDoes() {
        var sum = ExactSum()
        sum.add(.greatestFiniteMagnitude, times: 2)
        #expect(sum.sum == .cell(.real(.infinity)))
        #expect(sum.mean == .cell(.real(.greatestFiniteMagnitude)))
        sum.add(-.greatestFiniteMagnitude)
        #expect(sum.sum == .cell(.real(.greatestFiniteMagnitude)))
    }

    @Test func oppositeInfinitiesHaveNoSum() {
        var sum = ExactSum()
        sum.add(Double.infinity)
        sum.add(-1e308)
        #expect(sum.sum == .cell(.real(.infinity)))
        #expect(sum.mean == .cell(.real(.infinity)))
        sum.add(-Double.infinity)
        #expect(sum.sum == .none)
        #expect(sum.mean == .none)
        var nan = ExactSum()
        nan.add(Double.nan)
        #expect(nan.sum == .none)
    }

    @Test func noNumbersHaveNoSumAndZeroIsPositive() {
        var sum = ExactSum()
        #expect(sum.sum == .none)
        #expect(sum.mean == .none)
        sum.add(-0.0)
        #expect(sum.sum == .cell(.real(0)))
    }
}

extension ExactSum {
    fileprivate mutating func add(_ number: Cell, times: UInt32 = 1) {
        switch number {
        case .integer(let integer): add(integer, times: times)
        case .real(let real): add(real, times: times)
        case .null, .text, .malformedText, .cutText, .blob: break
        }
    }
}
