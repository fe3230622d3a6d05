import Testing
import ValetModel

@testable import ValetCommands

private func cars(_ count: Int, seed: UInt64 = 1) -> [Car] {
    let fleet = Fleet(seed: seed)
    return (0..<count).map { fleet.car(at: $0) }
}

private func counts(_ values: [String?]) -> [String: Int] {
    Dictionary(values.compactMap { $0 }.filter { $0 != "" }.map { ($0, 1) }, uniquingKeysWith: +)
}

// MARK: The same again

@Test func theSameSeedMakesTheSameCarsInAnyOrder() {
    let forwards = cars(500, seed: 7)
    let fleet = Fleet(seed: 7)
    let backwards = (0..<500).reversed().map { fleet.car(at: $0) }
    #expect(forwards == backwards.reversed())
}

@Test func anotherSeedMakesOtherCars() {
    let same = zip(cars(500, seed: 1), cars(500, seed: 2)).filter { $0 == $1 }
    #expect(same.isEmpty)
}

@Test func neighboursAreUnlikeEachOther() {
    let all = cars(2_000)
    let alike = zip(all, all.dropFirst()).filter { $0.make == $1.make && $0.model == $1.model }
    #expect(alike.count < 100)
}

/// Figures of benchmarks are comparable only while these rows stay as they are.
@Test func theFirstCarsOfTheFirstFleetAreThese() {
    let rows = cars(4).map { car in
        [
            car.make, car.model, car.year.map(String.init), car.fuel.map { "\($0)" },
            car.parked.map(String.init), car.ownerFirst, car.ownerLast,
        ].map { $0 ?? "NULL" }.joined(separator: "|")
    }
    #expect(
        rows == [
            "Škoda|Fabia|2019|33.2|1772784557|Élodie|de Vries",
            "Chevrolet|Silverado|2015|44.2|1774376089|Ava|Tóth",
            "Mercedes-Benz|300 SL|2013|33.6|1772182679|Maria|Weber",
            "Hyundai|i30|2010|26.5|1774008398|Åsa|Kurt",
        ])
}

// MARK: As in a car park

@Test func someMakesAreCommonAndAllAreThere() {
    let makes = counts(cars(50_000).map(\.make))
    #expect(makes.count == Make.all.values.count)
    #expect((40...60).contains(makes.count))
    let sorted = makes.values.sorted(by: >)
    #expect(sorted[0] > 50_000 / 20)
    #expect(sorted[0] > 50 * sorted[sorted.count - 1])
}

@Test func modelsBelongToTheirMakeAndTheFirstIsTheMostCommon() {
    let all = cars(50_000)
    #expect((250...1_000).contains(counts(all.map(\.model)).count))
    let golfs = all.filter { $0.model == "Golf" }
    #expect(golfs.allSatisfy { ["Volkswagen", nil, ""].contains($0.make) })
    let volkswagens = counts(all.filter { $0.make == "Volkswagen" }.map(\.model))
    #expect(volkswagens.max { $0.value < $1.value }?.key == "Golf")
}

@Test func someCellsOfEachColumnAreMissingAndMostAreThere() {
    let all = cars(20_000)
    func missing(_ isMissing: (Car) -> Bool) -> Bool {
        (20...600).contains(all.filter(isMissing).count)
    }
    #expect(missing { $0.make == nil } && missing { $0.make == "" })
    #expect(missing { $0.model == nil } && missing { $0.model == "" })
    #expect(
        missing { $0.year == nil } && missing { $0.fuel == nil } && missing { $0.parked == nil })
    #expect(missing { $0.ownerFirst == nil })
    #expect(missing { $0.ownerLast == nil } && missing { $0.ownerLast == "" })
}

@Test func numbersStayInTheirRanges() {
    for car in cars(50_000) {
        if let year = car.year { #expect((1908...2026).contains(year)) }
        if let parked = car.parked {
            #expect((Fleet.now - 46 * 86_400..<Fleet.now).contains(parked))
        }
        if let fuel = car.fuel {
            #expect((0...80).contains(fuel))
            #expect(fuel == (fuel * 10).rounded() / 10, "\(fuel) litres")
        }
    }
}

@Test func noCarIsOlderThanItsMake() {
    let since = Dictionary(uniqueKeysWithValues: Make.all.values.map { ($0.name, $0.since) })
    for car in cars(20_000) {
        guard let year = car.year, let make = car.make, let first = since[make] else { continue }
        #expect(year >= first, "\(make)")
    }
}

@Test func moreCarsComeInTheMorningThanAtNight() {
    let hours = cars(20_000).compactMap(\.parked).map { $0 / 3_600 % 24 }
    #expect(Set(hours).count == 24)
    #expect(hours.count { $0 == 8 } > 20 * hours.count { $0 == 3 })
}

// MARK: Names that folding must see through

@Test func diacriticsAreThereAndFold() {
    let all = cars(20_000)
    let texts = Set(all.flatMap { [$0.make, $0.model, $0.ownerFirst, $0.ownerLast] })
    for (name, folded) in [
        ("Citroën", "citroen"), ("Škoda", "skoda"), ("Zoé", "zoe"), ("Mégane", "megane"),
        ("ë-C4", "e-c4"), ("Müller", "muller"), ("Þóra", "þora"), ("Nguyễn", "nguyen"),
    ] {
        #expect(texts.contains(name), "\(name)")
        #expect(TextFolding.fold(name) == Array(folded.utf8))
    }
}

@Test func namesAreWrittenInOneWay() {
    for names in [Make.all.values.map(\.name), Owners.first.values, Owners.last.values] {
        for name in names {
            #expect(name.utf8.first != UInt8(ascii: " ") && name.utf8.last != UInt8(ascii: " "))
            #expect(
                !name.unicodeScalars.contains {
                    $0.properties.canonicalCombiningClass != .notReordered
                })
        }
    }
    let makes = Make.all.values.map { TextFolding.fold($0.name) }
    #expect(Set(makes).count == makes.count)
}

@Test func valuesComeAsOftenAsTheyWeigh() {
    let weighted = Weighted([
        (value: "a", weight: 1), (value: "b", weight: 8), (value: "c", weight: 1),
    ])
    var numbers = SeededNumbers(seed: 3, index: 0)
    let picked = (0..<10_000).map { _ in weighted.pick(with: &numbers) }
    #expect((7_700...8_300).contains(picked.count { $0 == "b" }))
    #expect((850...1_150).contains(picked.count { $0 == "a" }))
    #expect((850...1_150).contains(picked.count { $0 == "c" }))
}

@Test func nothingToPickFromTraps() async {
    await #expect(processExitsWith: .failure) { _ = Weighted<Int>([]) }
    await #expect(processExitsWith: .failure) { _ = Weighted([(value: 1, weight: 0)]) }
}
