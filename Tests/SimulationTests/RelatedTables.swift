import TestSupport
import ValetModel

/// Tables of each kind, and lists of all or some of their rows, by conditions that a seed gives: a
/// table with triggers, one WITHOUT ROWID, a view of both, full-text tables with rows of their own
/// and of another table, and an R-tree.
struct RelatedTables {
    struct List {
        let name: String
        let table: String
        /// Columns for conditions.
        let text: String?
        let number: String?
        let filter: RandomFilter?

        /// What SQLite finds.
        func query(_ filter: RandomFilter? = nil) -> String {
            let tests = [self.filter, filter].compactMap { $0?.sql }
            return "SELECT * FROM \(table) WHERE \((["1"] + tests).joined(separator: " AND "))"
        }

        func randomFilter(_ numbers: inout SeededNumbers) -> RandomFilter {
            RandomFilter(
                text: text, of: RelatedTables.makes, number: number,
                below: RelatedTables.prices, &numbers)
        }
    }

    static let makes = (0..<7).map { "make \($0)" } + ["new", "other"]
    /// They are below this.
    static let prices = 100
    /// Columns without a type are of the type that their first values have.
    private static let types = ["notes": "price: {type: integer}"]

    let lists: [List]
    let sql: String

    init(_ numbers: inout SeededNumbers) {
        let tables: [(name: String, text: String?, number: String?)] = [
            ("cars", "make", "price"), ("owners", nil, "paid"), ("owned", "make", "price"),
            ("notes", "title", "price"), ("makes", "make", nil), ("boxes", nil, "low"),
        ]
        var lists: [List] = []
        for (table, text, number) in tables {
            for isAll in [true, false] {
                let all = List(
                    name: table, table: table, text: text, number: number, filter: nil)
                lists.append(
                    isAll
                        ? all
                        : List(
                            name: "some_\(table)", table: table, text: text, number: number,
                            filter: all.randomFilter(&numbers)))
            }
        }
        lists.append(
            List(name: "words", table: "words", text: nil, number: "doc", filter: nil))
        self.lists = lists
        let owned = RandomFilter(
            text: "make", of: Self.makes, number: "price", below: Self.prices, &numbers)
        sql = """
            CREATE TABLE cars (id INTEGER PRIMARY KEY, make TEXT, price INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
            INSERT INTO cars SELECT i, 'make ' || (i % 7), i * 37 % 100 FROM n;
            CREATE TABLE owners (name TEXT PRIMARY KEY, car INTEGER, paid INTEGER) WITHOUT ROWID;
            INSERT INTO owners SELECT 'owner ' || id, id, price FROM cars WHERE id % 2;
            CREATE TRIGGER sold AFTER DELETE ON cars BEGIN
                DELETE FROM owners WHERE car = old.id;
            END;
            CREATE TRIGGER bought AFTER INSERT ON cars BEGIN
                INSERT OR REPLACE INTO owners VALUES ('owner ' || new.id, new.id, new.price);
            END;
            CREATE TRIGGER paid AFTER UPDATE OF price ON cars BEGIN
                UPDATE owners SET paid = new.price WHERE car = new.id;
            END;
            CREATE VIEW owned AS
                SELECT o.name, c.make, c.price FROM owners AS o JOIN cars AS c ON c.id = o.car
                WHERE \(owned.sql) ORDER BY o.name;
            CREATE VIRTUAL TABLE notes USING fts5(title, price UNINDEXED);
            INSERT INTO notes (rowid, title, price) SELECT id, make, price FROM cars WHERE id % 3;
            CREATE VIRTUAL TABLE words USING fts5vocab(notes, row);
            CREATE VIRTUAL TABLE makes USING fts5(make, content='cars', content_rowid='id');
            CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
            INSERT INTO boxes SELECT id, price, price + 5 FROM cars WHERE id % 4;
            """
    }

    var catalog: String {
        let entries = lists.map { list in
            let conditions = list.filter.map { ", conditions: [\($0.entries)]" } ?? ""
            let types = Self.types[list.table].map { ", columns: {\($0)}" } ?? ""
            return "  - {name: \(list.name), table: \(list.table)\(conditions)\(types)}"
        }
        return "lists:\n" + entries.joined(separator: "\n")
    }

    subscript(name: String) -> List? { lists.first { $0.name == name } }

    /// What another program does to a row of one of the tables.
    static func change(_ numbers: inout SeededNumbers) -> String {
        let (id, number) = (1 + numbers.below(RelatedLists.idsTried), numbers.below(prices))
        let price = numbers.below(10) == 0 ? "NULL" : "\(number)"
        let make = makes[numbers.below(makes.count)]
        let statements = [
            "UPDATE cars SET price = \(price) WHERE id = \(id)",
            "UPDATE cars SET make = '\(make)' WHERE id = \(id)",
            "DELETE FROM cars WHERE id = \(id)",
            "INSERT OR IGNORE INTO cars (id, make, price) VALUES (\(id), 'other', \(price))",
            "UPDATE owners SET paid = \(price) WHERE car = \(id)",
            "INSERT OR REPLACE INTO owners VALUES ('owner \(id) and more', \(id), \(price))",
            "DELETE FROM owners WHERE name = 'owner \(id) and more'",
            "INSERT OR REPLACE INTO notes (rowid, title) VALUES (\(id), '\(make)')",
            "UPDATE notes SET price = \(price), title = '\(make)' WHERE rowid = \(id)",
            "DELETE FROM notes WHERE rowid = \(id)",
            "INSERT OR REPLACE INTO boxes VALUES (\(id), \(number), \(number + 5))",
            "DELETE FROM boxes WHERE id = \(id)",
        ]
        return statements[numbers.below(statements.count)]
    }
}
