import NIOCore
import ValetModel

/// The content of a window: its rows, their sections and their pages, all of one revision.
///
/// ```
/// varint    request
/// varint    generation
/// varint    revision
/// varint    rows of the view
/// varint    sections of the view
/// varint    rows of the list, of which a search shows some
/// varint    section number: another one when the sections are others
/// varint    the anchor's flat ordinal
/// varint    which row of the anchor held, from 1 on; 0 for none
/// varint    first: flat ordinal of the window's first row
/// varint    rows: of the window, cut at the ends of the list
/// list run  section ordinal, text title, flat ordinal of its first row, its rows
/// list page u64 name, flat ordinal of its first row, its rows
/// times     see `Times`
/// ```
package struct WindowAnswer: Message {
    package static let kind = FrameKind.windowAnswer

    package var request: UInt32
    package var generation: UInt32
    package var revision: UInt64
    package var totalRows: Int
    package var totalSections: Int
    /// Those that a search leaves out counted, too.
    package var listRows: Int
    /// Another one when a section has come, gone or got another title.
    package var sectionsVersion: UInt64
    package var anchor: Int
    /// Which row of the anchor held, from 1 on; 0 for none.
    package var anchorRow: UInt32
    package var first: Int
    package var rows: Int
    package var runs: [SectionRun]
    package var pages: [PagePlace]
    package var times: Times

    package init(
        request: UInt32, generation: UInt32, revision: UInt64, totalRows: Int,
        totalSections: Int, listRows: Int? = nil, sectionsVersion: UInt64 = 0, anchor: Int,
        anchorRow: UInt32 = 0, first: Int, rows: Int, runs: [SectionRun], pages: [PagePlace],
        times: Times = Times()
    ) {
        self.request = request
        self.generation = generation
        self.revision = revision
        self.totalRows = totalRows
        self.totalSections = totalSections
        self.listRows = listRows ?? totalRows
        self.sectionsVersion = sectionsVersion
        self.anchor = anchor
        self.anchorRow = anchorRow
        self.first = first
        self.rows = rows
        self.runs = runs
        self.pages = pages
        self.times = times
    }

    package func write(into payload: inout ByteBuffer) {
        payload.writeVarint(UInt64(request))
        payload.writeVarint(UInt64(generation))
        payload.writeVarint(revision)
        payload.writeCount(totalRows)
        payload.writeCount(totalSections)
        payload.writeCount(listRows)
        payload.writeVarint(sectionsVersion)
        payload.writeCount(anchor)
        payload.writeVarint(UInt64(anchorRow))
        payload.writeCount(first)
        payload.writeCount(rows)
        payload.writeList(runs) { payload, run in
            payload.writeCount(run.section)
            payload.writeText(run.title)
            payload.writeCount(run.first)
            payload.writeCount(run.count)
        }
        payload.writeList(pages) { payload, page in
            payload.writeFixed64(page.name.rawValue)
            payload.writeCount(page.first)
            payload.writeCount(page.rows)
        }
        times.write(into: &payload)
    }

    package init(reading payload: inout PayloadReader) throws(ValetError) {
        request = try payload.uint32()
        generation = try payload.uint32()
        revision = try payload.varint()
        totalRows = try payload.count()
        totalSections = try payload.count()
        listRows = try payload.count()
        sectionsVersion = try payload.varint()
        anchor = try payload.count()
        anchorRow = try payload.uint32()
        first = try payload.count()
        rows = try payload.count()
        runs = try payload.list(of: "section runs", limit: Limits.rowsPerWindow) {
            payload throws(ValetError) in
            SectionRun(
                section: try payload.count(),
                title: try payload.text("section title", limit: Limits.bytesPerTitle),
                first: try payload.count(), count: try payload.count())
        }
        pages = try payload.list(of: "pages", limit: Limits.rowsPerWindow) {
            payload throws(ValetError) in
            PagePlace(
                name: PageName(rawValue: try payload.fixed64()),
                first: try payload.count(), rows: try payload.count())
        }
        times = try Times(reading: &payload)
        try check()
    }

    /// Checks that the numbers are consistent, since clients lay out rows and pages by them.
    private func check() throws(ValetError) {
        guard rows <= Limits.rowsPerWindow else {
            throw .limit("rows per window", is: Limits.rowsPerWindow, asked: rows)
        }
        guard totalRows <= listRows else {
            throw PayloadReader.malformed("\(totalRows) rows of a list of \(listRows)")
        }
        guard first <= totalRows, rows <= totalRows - first else {
            throw PayloadReader.malformed("window \(first) + \(rows) of \(totalRows) rows")
        }
        func fits(_ first: Int, _ count: Int) -> Bool {
            first <= totalRows && count <= totalRows - first
        }
        let pagesFit = pages.allSatisfy { $0.rows <= Limits.rowsPerLeaf && fits($0.first, $0.rows) }
        let runsFit = runs.allSatisfy { fits($0.first, $0.count) }
        guard pagesFit, runsFit else {
            throw PayloadReader.malformed("a page or run beyond the end")
        }
    }
}

/// Names the bytes of a page; within an epoch it is never reused for others.
package struct PageName: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The position of a page's rows in the view.
package struct PagePlace: Hashable, Sendable {
    package var name: PageName
    package var first: Int
    package var rows: Int

    package init(name: PageName, first: Int, rows: Int) {
        self.name = name
        self.first = first
        self.rows = rows
    }
}
