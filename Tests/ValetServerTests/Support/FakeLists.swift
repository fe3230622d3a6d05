import NIOCore
import ValetArrangement
import ValetModel
import ValetSecurity

@testable import ValetServer

/// A session's surroundings in memory: a list of cars, and one that has not been read in.
final class FakeLists: SessionSurroundings {
    struct Car {
        var make: String?
        var model: String
        var year: Int64
    }

    let catalog: ServedCatalog
    static let epoch: UInt64 = 42
    let epoch: UInt64 = FakeLists.epoch
    let validEpochs: Set<UInt64> = [FakeLists.epoch]
    let serverName = "valetd test"
    var servingNode: ServingNode?
    var refusalOfChanges: ValetError?

    func visitor(with token: [UInt8]?, orKey key: KeyFingerprint?) -> Visitor? { nil }

    func catalog(for access: PrincipalAccess?) -> ServedCatalog { catalog }

    /// Where the event loop's clock stands, and how far it goes on each time it is looked at.
    var time = NIODeadline.uptimeNanoseconds(0)
    var timePerLook = TimeAmount.zero
    var snapshot: Snapshot
    /// Numbers that the list has left for projections.
    var projectionsLeft = 1_000
    private var projections: [[Int]: UInt16] = [:]

    init(_ cars: [Car]) {
        catalog = ServedCatalog(Catalog(lists: [Self.cars, Self.drivers]))
        var builder = ColumnCacheBuilder(descriptions: Self.cars.columns, wanted: [0, 1, 2])
        for (index, car) in cars.enumerated() {
            builder.beginRow(Int64(index + 1))
            if let make = car.make {
                builder.append(make, to: 0)
            } else {
                builder.append(.null, to: 0)
            }
            builder.append(car.model, to: 1)
            builder.append(.integer(car.year), to: 2)
        }
        snapshot = Snapshot(revision: 5, cache: builder.finish(), numbers: LeafNumbers())
    }

    /// `count` cars of ten makes, in as many sections.
    convenience init(count: Int) {
        self.init(
            (0..<count).map {
                Car(make: "Make \($0 % 10)", model: "Model \($0)", year: Int64(1_950 + $0 % 60))
            })
    }

    /// Does what a keeper would do.
    func arrange(_ specification: ArrangementSpecification) throws {
        for arrangement in try snapshot.building(specification) {
            snapshot = snapshot.adding(arrangement)
        }
    }

    /// Does what a keeper does when rows are committed.
    func commit(_ changes: [RowChange]) throws {
        guard let changed = snapshot.applying(changes, revision: snapshot.revision + 1) else {
            throw ValetError(.storageFailed, "the changes do not fit")
        }
        snapshot = changed
    }

    /// Takes another's rows at the next revision, arranged as before.
    func change(to other: FakeLists) throws {
        let specifications = snapshot.arrangements.keys
        snapshot = Snapshot(
            revision: snapshot.revision + 1, cache: other.snapshot.cache, numbers: snapshot.numbers)
        for specification in specifications { try arrange(specification) }
    }

    var now: NIODeadline {
        defer { time = time + timePerLook }
        return time
    }

    func snapshot(ofList list: Int) -> Snapshot? { list == 0 ? snapshot : nil }

    func projection(list: Int, columns: [Int], left: inout Int) -> Projection {
        if projections[columns] == nil, projections.count < projectionsLeft {
            projections[columns] = UInt16(projections.count + 1)
        }
        guard let number = projections[columns] else {
            let all = Array(catalog.handles[list].description.columns.indices)
            return Projection(number: Projection.wholeRowNumber, columns: all)
        }
        return Projection(number: number, columns: columns)
    }

    static let cars = ListDescription(
        name: "Cars", title: "Cars",
        columns: .named(["make": .text, "modèle": .text, "year": .integer]), titleColumn: 1,
        groupings: [
            Grouping(
                name: "Make", column: 0, expression: .wholeValue,
                rowOrder: [SortKey(column: 1)], indexTitles: .firstLetter),
            Grouping(name: "None", column: nil, expression: .none, indexTitles: .none),
        ],
        scopes: [
            Scope(name: "Any", columns: .columns([0, 1])),
            Scope(name: "Grouping", columns: .currentGrouping),
            Scope(name: "Model", columns: .columns([1]), match: .beginsWith, isFlat: true),
        ],
        cell: .columns)

    static let drivers = ListDescription(
        name: "Drivers", title: "Drivers",
        columns: [ColumnDescription(name: "number", type: .integer)], titleColumn: nil,
        groupings: [Grouping(name: "None", column: nil, expression: .none, indexTitles: .none)],
        scopes: [], cell: .columns)
}
