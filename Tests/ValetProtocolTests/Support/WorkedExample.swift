import NIOCore
import ValetModel

@testable import ValetProtocol

/// The worked example of PROTOCOL.md: a client opens a list of three cars and shows it.
enum WorkedExample {
    static let page = PlainPage(
        rowIDs: [2, 1, 3],
        columns: [
            [.text("BMW"), .text("BMW"), .text("Citroën")],
            [.integer(2_019), .integer(2_024), .null],
        ])

    static let turns = opening + showing

    private static let opening = [
        Sample(
            "client: hello",
            Hello(
                creditBytes: 1 << 18,
                station: Station(name: "desk", id: StationID(high: 1, low: 2)))),
        Sample("server: welcome", Welcome(epoch: 0x2A, server: "valetd 1.0")),
        Sample(
            "client: open view", stream: 1,
            OpenView(
                request: 1, generation: 1, list: "Cars", columns: ["make", "year"],
                query: Query(grouping: "make"))),
        Sample(
            "client: window request, without waiting", stream: 1,
            WindowRequest(request: 2, generation: 1, anchor: .ordinal(0), rows: 24)),
        Sample(
            "server: view opened", stream: 1,
            ViewOpened(
                request: 1, generation: 1, epoch: 0x2A, revision: 7, totalRows: 3, totalSections: 2,
                grouping: "Make", groupingColumn: 0, isSectioned: true, hasIndex: true,
                columns: [0, 1], times: Times(waitedMicroseconds: 5, workedMicroseconds: 210))),
    ]

    private static let showing = [
        Sample(
            "server: window answer, which names a page", stream: 1,
            WindowAnswer(
                request: 2, generation: 1, revision: 7, totalRows: 3, totalSections: 2,
                sectionsVersion: 17, anchor: 0, first: 0, rows: 3,
                runs: [
                    SectionRun(section: 0, title: "BMW", first: 0, count: 2),
                    SectionRun(section: 1, title: "Citroën", first: 2, count: 1),
                ],
                pages: [PagePlace(name: PageName(rawValue: 0x10), first: 0, rows: 3)],
                times: Times(waitedMicroseconds: 1, workedMicroseconds: 9))),
        Sample("server: the page, which the client did not hold", page: page.encode(name: 0x10)[0]),
        Sample(
            "client: credit for the page frame",
            Credit(byteCount: page.encode(name: 0x10)[0].readableBytes)),
        Sample(
            "client: a window of an older generation", stream: 1,
            WindowRequest(request: 3, generation: 0, anchor: .end, rows: 24)),
        Sample(
            "server: superseded", stream: 1,
            ErrorAnswer(request: 3, error: ValetError(.superseded, "a newer query was made"))),
        Sample("client: close view", stream: 1, CloseView(request: 4)),
        Sample("server: view closed", stream: 1, ViewClosed(request: 4)),
    ]
}
