import TestSupport
import Testing
import ValetModel

@testable import ValetStore

/// Files that are not as regular as they should be: no value is lost, and what was done is said.
@Suite struct CSVRepairTests {
    private let folder = TemporaryFolder()

    private func read(_ csv: String) throws -> (rows: [[String]], names: [String], said: [String]) {
        let path = folder.file("t.sqlite")
        FilePath.removeDatabase(path)
        var said: [String] = []
        _ = try CSVImport.run(
            csvPath: folder.write(csv, to: "t.csv"), databasePath: path, table: "t",
            isStrict: false, repaired: { said = $0.words })
        let connection = try Connection(path: path)
        let columns = try connection.prepare("SELECT name FROM pragma_table_info('t')")
        var names: [String] = []
        while try columns.step() { names.append(columns.text(0) ?? "") }
        let rows = try connection.prepare("SELECT * FROM t")
        var all: [[String]] = []
        while try rows.step() { all.append(names.indices.map { rows.text(Int($0)) ?? "-" }) }
        return (all, names, said)
    }

    @Test func shortRowsEndInEmptyCells() throws {
        let read = try read("a,b,c\n1,2,3\n4\n5,6\n")
        #expect(read.rows == [["1", "2", "3"], ["4", "-", "-"], ["5", "6", "-"]])
        #expect(
            read.said == [
                "2 rows have fewer fields than the header: the rest is empty, the first on line 3"
            ])
    }

    @Test func longRowsHaveColumns() throws {
        let read = try read("a,column 3\n1,2\n3,4,five,6\n7,8\n")
        #expect(read.names == ["a", "column 3", "column 4", "column 5"])
        #expect(read.rows[1] == ["3", "4", "five", "6"] && read.rows[2] == ["7", "8", "-", "-"])
        #expect(
            read.said
                == ["line 3 has more fields than the header: there are columns for them"])
    }

    @Test func columnsGetNamesOfTheirOwn() throws {
        let read = try read("a,A,,a,A 2\n1,2,3,4,5\n")
        #expect(read.names == ["a", "A 3", "column 3", "a 4", "A 2"])
        #expect(read.rows == [["1", "2", "3", "4", "5"]])
        #expect(
            read.said == [
                "columns without a name of their own are called “A 3”, “column 3”, “a 4”"
            ])
    }

    @Test func theHeaderAgainIsNoRow() throws {
        let read = try read("a,b\n1,2\na,b\n3,4\na,b\n")
        #expect(read.rows == [["1", "2"], ["3", "4"]])
        #expect(
            read.said == ["2 rows are the header again, and no rows, the first on line 3"])
        let column = try self.read("a\na\nb\n").rows
        #expect(column == [["a"], ["b"]], "it may be a value")
    }

    @Test func aRegularFileIsNotMended() throws {
        let read = try read("a,b\n1,2\n")
        #expect(read.said == [] && read.rows == [["1", "2"]])
    }

    @Test func thereAreStillLimits() throws {
        let wide = String(repeating: ",", count: Limits.columnsPerCSV)
        let error = failure { _ = try read("a,b\n1,2\n\(wide)\n") }
        #expect(error?.message.contains("line 3") == true)
    }
}
