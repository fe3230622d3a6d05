import TestSupport
import Testing
import ValetModel

@testable import ValetClient

/// Views of a thousand cars over a real connection.
@Suite(.timeLimit(.minutes(5))) struct ViewTests {
    @Test func everyStretchOfAListIsRight() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars", Query(grouping: "None"))
            for first in stride(from: 0, to: 1_010, by: 101) {
                for rows in [0, 1, 63, 64, 200] {
                    let window = try await view.window(at: .ordinal(first), rows: rows)
                    let expected = min(first, 1_000)..<min(first + rows, 1_000)
                    #expect(window.first == expected.lowerBound)
                    #expect(window.rows.map { $0?.id } == expected.map { Int64($0 + 1) })
                }
            }
        }
    }

    @Test func aWindowIsDeliveredInParts() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let (updates, tell) = AsyncStream<Result<Window, ValetError>>.makeStream()
            view.requestWindow(at: .ordinal(100), rows: 500) { result in
                tell.yield(result)
                if (try? result.get().isComplete) ?? true { tell.finish() }
            }
            var counts: [Int] = []
            for await update in updates {
                counts.append(try update.get().rows.count { $0 != nil })
            }
            #expect(counts.first == 0)
            #expect(counts.last == 500)
            #expect(counts == counts.sorted())
            #expect(counts.count > 5)
        }
    }

    /// Whether its request is sent before the view's failure is known, or after.
    @Test func aWindowOfAViewThatCouldNotBeOpenedFailsForTheSameReason() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            for isAfter in [false, true] {
                let (codes, code) = AsyncStream<ErrorCode?>.makeStream()
                let view = connection.startView(list: "cars", Query(grouping: "no")) {
                    code.yield($0.code)
                }
                var answers = codes.makeAsyncIterator()
                if isAfter { #expect(await answers.next() == .unknownGrouping) }
                view.requestWindow(at: .ordinal(0), rows: 10) { code.yield($0.code) }
                #expect(await answers.next() == .unknownGrouping)
                if !isAfter { #expect(await answers.next() == .unknownGrouping) }
            }
        }
    }

    @Test func windowsAskedInARowAllEnd() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let codes = await withTaskGroup(of: ErrorCode?.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        await failure { try await view.window(at: .ordinal(number), rows: 300) }?
                            .code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.contains(nil), "the last one at least is shown")
            #expect(codes.allSatisfy { $0 == nil || $0 == .superseded })
        }
    }

    @Test func aNewQueryEndsTheWindowThatWaits() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let ends = Mutex<[ErrorCode?]>([])
            let (ended, end) = AsyncStream<Void>.makeStream()
            view.requestWindow(at: .ordinal(0), rows: 1_000) { result in
                if case .success(let window) = result, !window.isComplete { return }
                ends.withLock { $0.append(result.code) }
                end.finish()
            }
            let summary = try await view.rearrange(Query(search: .init(text: "\"Model 99\"")))
            for await _ in ended {}
            #expect(ends.withLock { $0 } == [.superseded])
            #expect(summary.generation == 2)
            #expect(view.summary == summary)
            let window = try await view.window(at: .ordinal(0), rows: 50)
            #expect(window.totalRows == 11)
            #expect(window.rows.count == 11)
        }
    }

    @Test func aQueryAskedWhileTheViewOpensTakesTheFirstOnesPlace() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            for number in 0..<20 {
                let opened = Waiter<ViewSummary>()
                let view = connection.startView(
                    list: "cars", Query(search: .init(text: "\"Model \(number)\""))
                ) { opened.finish($0) }
                async let early = failure { try await view.window(at: .ordinal(0), rows: 5) }
                let summary = try await view.rearrange(
                    Query(search: .init(text: "\"Model 8\(number)\"")))
                let first = await failure { try await opened.answer() }
                #expect(first == nil || first?.code == .superseded)
                let code = await early?.code
                #expect(code == nil || code == .superseded)
                #expect(view.summary == summary)
                #expect(try await view.allRows().count == summary.totalRows)
            }
        }
    }

    @Test func aViewThatStartsMayBeAskedForWindowsAtOnce() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = connection.startView(list: "cars", Query(grouping: "None")) { _ in }
            let window = try await view.window(at: .ordinal(10), rows: 5)
            #expect(window.rows.map { $0?.id } == [11, 12, 13, 14, 15])
            let lost = connection.startView(list: "boats") { _ in }
            let error = await failure { try await lost.window(at: .ordinal(0), rows: 5) }
            #expect(error?.code == .unknownList || error?.code == .unknownView)
            guard case .failed(let reason) = lost.state else { throw Unexpected("\(lost.state)") }
            #expect(reason.code == .unknownList)
        }
    }

    @Test func typingFastShowsTheLastSearch() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let texts = ["M", "Mo", "Mod", "Mode", "Model", "Model 7", "Model 77"]
            await withTaskGroup(of: Void.self) { group in
                for text in texts {
                    let query = Query(search: .init(text: text))
                    group.addTask { _ = try? await view.rearrange(query) }
                    await Task.yield()
                }
            }
            let last = try await view.rearrange(Query(search: .init(text: "\"Model 777\"")))
            #expect(last.totalRows == 1)
            #expect(view.summary == last)
            #expect(try await view.allRows().map(\.id) == [778])
        }
    }

    @Test func aQueryThatFailsNamesWhatThereIsAndTheViewGoesOn() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let grouping = await failure { try await view.rearrange(Query(grouping: "colour")) }
            #expect(grouping?.code == .unknownGrouping)
            #expect(grouping?.alternatives.contains("make") == true)
            let between = await failure { try await view.window(at: .ordinal(0), rows: 1) }
            #expect(between?.code == .unexpected)
            let scope = await failure {
                try await view.rearrange(Query(search: .init(text: "x", scope: "everywhere")))
            }
            #expect(scope?.code == .unknownScope)
            #expect(scope?.alternatives.first == "Any")
            #expect(try await view.rearrange(Query(grouping: "MAKE")).totalSections == 10)
            let section = await failure { try await view.section(titled: "Trabant") }
            #expect(section?.code == .unknownSection)
            #expect(section?.alternatives.count == 10)
            #expect(try await view.allRows().count == 1_000)
        }
    }

    @Test func limitsAreNamed() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let view = try await connection.openView(list: "cars")
            let rows = await failure { try await view.window(at: .ordinal(0), rows: 1_000_000) }
            #expect(rows?.message == "rows per window is limited to 1024, asked for 1000000")
            #expect(await failure { try await view.index(most: 5_000) }?.code == .limitExceeded)
            var views: [ValetView] = []
            for _ in 1..<Limits.viewsPerConnection {
                views.append(try await connection.openView(list: "cars"))
            }
            let oneMore = await failure { try await connection.openView(list: "cars") }
            #expect(oneMore?.code == .limitExceeded)
            #expect(try await connection.statistics()[.views] == Limits.viewsPerConnection)
            for other in views {
                #expect(try await other.window(at: .end, rowsBefore: 3, rows: 9).rows.count == 3)
            }
        }
    }

    @Test func aViewWithoutReferencesIsClosed() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            for _ in 0..<Limits.viewsPerConnection * 3 {
                _ = try await connection.openView(list: "cars")
            }
            let view = try await connection.openView(list: "cars")
            try await view.close()
            let error = await failure { try await view.window(at: .ordinal(0), rows: 1) }
            #expect(error?.code == .unknownView)
        }
    }

    @Test func aViewWhoseOpeningWasCancelledIsClosed() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            for _ in 0..<Limits.viewsPerConnection * 3 {
                let opening = Task { await failure { try await connection.openView(list: "cars") } }
                opening.cancel()
                let error = await opening.value
                #expect(error == nil || error?.code == .superseded)
                // There and back twice: the view has been opened and closed meanwhile.
                for _ in 0..<2 { _ = try await connection.roundTrip() }
            }
            let view = try await connection.openView(list: "cars")
            #expect(try await view.window(at: .ordinal(3), rows: 1).rows.count == 1)
        }
    }

    @Test func manyQueriesAtOnceAreAllAnswered() async throws {
        try await TestServer.run(cars: 1_000) { connection in
            let groupings = ["make", "model", "year", "None"]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask {
                        let view = try await connection.openView(
                            list: "cars", columns: ["model"],
                            Query(
                                grouping: groupings[number % 4],
                                search: .init(text: "\"Model \(number)\"")))
                        let rows = try await view.allRows()
                        #expect(rows.count == view.summary.totalRows)
                        for row in rows {
                            guard case .text(let text) = row.cells[0] else {
                                throw Unexpected("\(row.cells[0])")
                            }
                            #expect(text.hasPrefix("Model \(number)"))
                        }
                        for row in rows.prefix(3) {
                            let detail = try await connection.detail(list: "cars", rowID: row.id)
                            #expect(detail.cells[1] == row.cells[0])
                            #expect(try await view.locate(row.id) != nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
