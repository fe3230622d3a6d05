import TestSupport
import Testing
import ValetModel

@testable import ValetServer

@Suite struct BackupPlanTests {
    private let plan = BackupPlan(folder: "/b", interval: .seconds(3_600), kept: 2)
    private static let time: Int64 = 1_795_901_873_999_999

    @Test func namesAreInTheOrderOfTime() {
        #expect(
            plan.name(ofFile: "/a/cars.sqlite", at: Self.time) == "cars-20261128T213753Z.sqlite")
        #expect(plan.name(ofFile: "cars", at: 0) == "cars-19700101T000000Z.sqlite")
        #expect(plan.name(ofFile: "/a/.cars", at: 9_000_000) == ".cars-19700101T000009Z.sqlite")
        let times = stride(
            from: Self.time, to: Self.time + 400 * 86_400_000_000, by: 999_000_000_000)
        let names = times.map { plan.name(ofFile: "cars.sqlite", at: $0) }
        #expect(names == names.sorted() && Set(names).count == names.count)
    }

    @Test func onlyTheFilesOwnBackupsAreLookedAt() {
        let names = [
            "cars-20261128T213753Z.sqlite", "cars-20251128T213753Z.sqlite", "cars.sqlite",
            "cars-20261128T213753Z.sqlite.partial", "cars-20261128T213753Z.sqlite-wal",
            "cars-monday.sqlite", "cars-2026-1128T213753Z.sqlite", "boats-20261128T213753Z.sqlite",
            "cars-old-20261128T213753Z.sqlite", "cars-٢٠٢٦1128T213753Z.sqlite",
        ]
        #expect(plan.backups(ofFile: "/a/cars.sqlite", among: names) == [names[1], names[0]])
        #expect(plan.leftovers(ofFile: "/a/cars.sqlite", among: names) == [names[3]])
    }

    @Test func oneIsDueWhenTheLastIsOldEnough() {
        func isDue(after seconds: Int64...) -> Bool {
            let names = seconds.map {
                plan.name(ofFile: "cars.sqlite", at: Self.time - $0 * 1_000_000)
            }
            return plan.isDue(ofFile: "cars.sqlite", among: names, at: Self.time)
        }
        #expect(isDue() && isDue(after: 3_600) && isDue(after: 100_000, 3_600))
        #expect(!isDue(after: 3_599) && !isDue(after: 0, 100_000))
        // The clock was a year ahead once.
        #expect(isDue(after: -31_536_000) && isDue(after: -31_536_000, 3_600))
        #expect(!isDue(after: -31_536_000, 3_599))
    }

    @Test func oneServerAtATimeMakesBackupsOfFilesOfAName() async throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let plan = BackupPlan(folder: folder.path, interval: .seconds(3_600), kept: 2)
        let server = try await TestServer(folder.cars(3)) { $0.backups = plan }
        let path = try other.cars(3)
        func start() async -> ValetError? {
            do {
                let second = try await TestServer(path) { $0.backups = plan }
                await second.server.stop()
                return nil
            } catch {
                return error as? ValetError
            }
        }
        #expect(await start()?.code == .notAllowed)
        await server.server.stop()
    }
}
