import TestSupport
import Testing
import ValetModel

@testable import ValetStore

@Suite struct EditableListTests {
    private let folder = TemporaryFolder()
    private let sql = """
        CREATE TABLE cars (make TEXT);
        CREATE TABLE codes (code TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TABLE hidden (rowid TEXT, _rowid_ TEXT, oid TEXT);
        CREATE VIEW makes AS SELECT make FROM cars;
        CREATE VIRTUAL TABLE notes USING fts5(text);
        """

    @Test func tablesWithRowIDsAreEditable() throws {
        let lists = try Database(path: try folder.database(sql)).catalog.lists
        #expect(lists.filter(\.isEditable).map(\.name) == ["cars"])
        #expect(lists.count == 5)
    }

    @Test func aCatalogForbidsEditing() throws {
        func editable(_ yaml: String) throws -> Bool {
            try folder.database(sql, catalog: yaml).catalog.lists[0].isEditable
        }
        #expect(try editable("lists: [{name: cars}]"))
        #expect(try editable("lists: [{name: cars, editable: true}]"))
        #expect(try !editable("lists: [{name: cars, editable: false}]"))
        expectFailure(ending: "view “makes” is read-only") {
            try editable("lists: [{name: makes, editable: true}]")
        }
    }
}
