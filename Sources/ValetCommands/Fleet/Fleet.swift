import ValetModel

/// The cars that demos and benchmarks run on: as many as wanted, the same for the same seed.
///
/// A car is a function of seed and place, so that a verifier knows what row *n* must hold without
/// reading the table. Makes, models, names, years and hours are skewed as in a real car park, some
/// cells are missing, and names have the diacritics that search must see through.
package struct Fleet: Sendable {
    package let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// The car of the row with id `index + 1`.
    package func car(at index: Int) -> Car {
        var numbers = SeededNumbers(seed: seed, index: index)
        let make = Make.all.pick(with: &numbers)
        let model = make.models.pick(with: &numbers)
        let first = Owners.first.pick(with: &numbers)
        let last = Owners.last.pick(with: &numbers)
        let year = year(of: make, with: &numbers)
        let fuel = Double(fuelTenths(with: &numbers)) / 10
        let parked = parked(with: &numbers)

        var car = Car(
            make: make.name, model: model, year: year, fuel: fuel, parked: parked,
            ownerFirst: first, ownerLast: last)
        forget(in: &car, with: &numbers)
        return car
    }

    /// The year of the newest cars.
    package static let newestYear = 2026
    /// The latest time of parking, 2026-03-31 00:00 UTC: fixed, so that a seed gives the same cars.
    package static let now: Int64 = 1_774_915_200
    package static let daysParked = 45

    /// Most cars are a few years old, one in a hundred is a classic, none is older than its make.
    private func year(of make: Make, with numbers: inout SeededNumbers) -> Int64 {
        let isClassic = numbers.happens(perThousand: 10)
        let age =
            isClassic
            ? 40 + numbers.below(79)
            : min(numbers.below(40), numbers.below(40), numbers.below(40))
        return Int64(max(Self.newestYear - age, make.since))
    }

    /// 0 to 80 litres, rarely full.
    private func fuelTenths(with numbers: inout SeededNumbers) -> Int {
        (numbers.below(801) + min(numbers.below(801), numbers.below(801))) / 2
    }

    /// Sooner rather than long ago, and at the hours at which people come.
    private func parked(with numbers: inout SeededNumbers) -> Int64 {
        let day = 1 + min(numbers.below(Self.daysParked), numbers.below(Self.daysParked))
        let hour = Self.hours.pick(with: &numbers)
        return Self.now - Int64(day) * 86_400 + Int64(hour * 3_600 + numbers.below(3_600))
    }

    private static let hours = Weighted(
        [2, 1, 1, 1, 2, 6, 20, 55, 80, 70, 45, 40, 55, 50, 35, 30, 40, 60, 75, 70, 45, 25, 12, 5]
            .enumerated().map { (value: $0.offset, weight: $0.element) })

    /// A few cells of each column are NULL, a few texts are empty.
    private func forget(in car: inout Car, with numbers: inout SeededNumbers) {
        // One draw for most cars: 1,000 parts, the last ones of which each forget something.
        switch numbers.below(1_000) {
        case 0..<3: car.make = nil
        case 3..<5: car.make = ""
        case 5..<11: car.model = nil
        case 11..<15: car.model = ""
        case 15..<20: car.year = nil
        case 20..<30: car.fuel = nil
        case 30..<34: car.parked = nil
        case 34..<40: car.ownerFirst = nil
        case 40..<46: car.ownerLast = nil
        case 46..<50: car.ownerLast = ""
        case 50..<52: (car.make, car.model, car.year) = (nil, nil, nil)
        default: break
        }
    }
}
