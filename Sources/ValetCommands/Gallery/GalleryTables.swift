import ValetModel

/// The tables of the gallery, but for the fleet.
enum GalleryTables {
    static func sql(_ sections: GallerySections) -> String {
        let count = sections.sections * sections.rows
        return """
            BEGIN;
            -- A car that is added stands there from now on.
            ALTER TABLE cars RENAME TO fleet;
            CREATE TABLE cars (make TEXT DEFAULT 'Unknown', model TEXT DEFAULT 'Unknown',
                year INTEGER, fuel REAL,
                parked DATETIME DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)),
                owner_first TEXT, owner_last TEXT, washed BOOLEAN DEFAULT 0, colour TEXT);
            INSERT INTO cars SELECT coalesce(make, 'Unknown'), coalesce(model, 'Unknown'), year,
                fuel, parked, owner_first, owner_last, 0,
                CASE rowid % 5 WHEN 0 THEN 'black' WHEN 1 THEN 'white' WHEN 2 THEN 'grey'
                WHEN 3 THEN 'red' ELSE 'blue' END FROM fleet;
            DROP TABLE fleet;
            CREATE TABLE countries (name TEXT, capital TEXT, population INTEGER, continent TEXT);
            \(inserts(into: "countries", GalleryData.countries))
            \(GalleryMusic.sql)
            CREATE TABLE tasks (task TEXT NOT NULL, project TEXT, due DATE,
                done BOOLEAN DEFAULT 0, note TEXT, place REAL);
            CREATE INDEX tasks_by_place ON tasks (place);
            \(inserts(into: "tasks", tasks))
            CREATE TABLE names (name TEXT);
            \(inserts(into: "names", GalleryData.names.map { [$0] }))
            CREATE TABLE crayons (name TEXT, colour TEXT);
            \(inserts(into: "crayons", GalleryData.crayons))
            CREATE TABLE alphabet (number INTEGER, name TEXT, checked BOOLEAN DEFAULT 0,
                chosen BOOLEAN DEFAULT 0);
            CREATE TRIGGER one_letter AFTER UPDATE OF chosen ON alphabet WHEN NEW.chosen
            BEGIN UPDATE alphabet SET chosen = 0 WHERE chosen AND number <> NEW.number; END;
            \(inserts(into: "alphabet (number, name)", alphabet))
            CREATE TABLE blocks (name TEXT NOT NULL, colour TEXT, place REAL);
            CREATE INDEX blocks_by_place ON blocks (place);
            \(inserts(into: "blocks", blocks))
            CREATE TABLE dwarves (name TEXT, author TEXT, level INTEGER, lines INTEGER,
                free INTEGER);
            \(inserts(into: "dwarves", dwarves))
            CREATE TABLE computers (name TEXT, colour TEXT, year INTEGER);
            \(inserts(into: "computers", computers))
            CREATE TABLE albums (guid TEXT, title TEXT, artist TEXT, year INTEGER, rating INTEGER,
                released DATE, heard BOOLEAN DEFAULT 0);
            CREATE TABLE sections (section INTEGER, row INTEGER, title TEXT);
            WITH RECURSIVE numbers(n) AS
                (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))
            INSERT INTO sections
                SELECT n / \(sections.rows), n % \(sections.rows), 'Row ' || (n % \(sections.rows))
                FROM numbers;
            CREATE TABLE settings (section TEXT, name TEXT, kind TEXT, value TEXT, place INTEGER,
                fixed INTEGER);
            \(inserts(into: "settings", settings))
            CREATE TABLE wheels (name TEXT, one TEXT, two TEXT, three TEXT, day TEXT, time TEXT,
                start TEXT, countdown INTEGER);
            \(inserts(into: "wheels", wheels))
            COMMIT;
            """
    }

    private static func inserts(into table: String, _ rows: [[String]]) -> String {
        rows.map { row in
            "INSERT INTO \(table) VALUES ("
                + row.map { $0.isEmpty ? "NULL" : $0.inSingleQuotes }.joined(separator: ", ") + ");"
        }.joined(separator: "\n")
    }

    // MARK: Rows

    private static var alphabet: [[String]] {
        let words = """
            Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November
            Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu
            """
        return words.split { $0 == " " || $0 == "\n" }.enumerated().map {
            ["\($0.offset + 1)", String($0.element)]
        }
    }

    private static var blocks: [[String]] {
        let colours = ["red", "green", "blue", "yellow"]
        return (1...12).map { ["Block \($0)", colours[$0 % colours.count], "\($0 * 65_536)"] }
    }

    /// What the people of a valet service have to do.
    private static var tasks: [[String]] {
        let rows = """
            Paint the arrows on level 2|Garage|2026-12-04|0|Yellow, after 22:00
            Order key tags|Office|2026-12-01|0|500, red
            Call the lift company|Garage|2026-11-30|1|It stops between 1 and 2
            Train the new attendants|People|2026-12-10|0|Two of them
            Renew the insurance|Office|2027-01-31|0|
            Count the umbrellas|Office||1|
            Repair the barrier at the north gate|Garage|2026-12-02|0|
            Write the rota for the holidays|People|2026-12-15|0|Ana is away from the 23rd
            Wash the courtesy car|Garage|2026-11-28|1|
            Ask for snow chains|Garage|2026-12-18|0|
            Print signs for the concert|Events|2026-12-11|0|A3, both sides
            Reserve level 4 for the wedding|Events|2027-05-22|0|40 cars
            Check the fire extinguishers|Garage|2027-01-15|0|
            Choose new uniforms|People|2027-02-01|0|
            """
        return rows.split(separator: "\n").enumerated().map { place, row in
            row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                + ["\((place + 1) * 65_536)"]
        }
    }

    /// The first is tall, and can't be selected.
    private static var dwarves: [[String]] {
        let disney = ["Doc", "Grumpy", "Happy", "Sleepy", "Bashful", "Sneezy", "Dopey"]
        let tolkien = [
            "Thorin", "Balin", "Dwalin", "Fíli", "Kíli", "Dori", "Nori", "Ori", "Óin", "Glóin",
            "Bifur", "Bofur", "Bombur",
        ]
        let all = disney.map { ($0, "Mr Disney") } + tolkien.map { ($0, "Mr Tolkien") }
        return all.enumerated().map { place, dwarf in
            [dwarf.0, dwarf.1, "\(place % 4)", place == 0 ? "3" : "1", place == 0 ? "0" : "1"]
        }
    }

    /// By section, with what the value is.
    private static var settings: [[String]] {
        [
            ["General", "Station", "text", "front desk", "1", "0"],
            ["General", "Announce new cars", "switch", "yes", "2", "0"],
            ["General", "Day begins", "time", "06:00", "3", "0"],
            ["Looks", "Theme", "theme", "automatic", "4", "0"],
            ["Looks", "Large text", "switch", "no", "5", "0"],
            ["Sound", "Volume", "volume", "7", "6", "0"],
            ["About", "Serial number", "text", "1908-2027", "7", "1"],
        ]
    }

    private static var wheels: [[String]] {
        [
            [
                "Left machine", "cherry", "lemon", "bell", "2026-11-22", "09:30",
                "2026-11-22 18:05", "5400",
            ],
            ["Right machine", "star", "star", "plum", "2027-02-28", "20:00", "", "60"],
        ]
    }

    private static var computers: [[String]] {
        [
            ["Apple II", "Beige", "1977"], ["Commodore 64", "Brown", "1982"],
            ["ZX Spectrum", "Black", "1982"], ["Macintosh", "Beige", "1984"],
            ["Amiga 500", "Cream", "1987"], ["NeXTcube", "Black", "1990"],
            ["iMac G3", "Bondi blue", "1998"], ["Power Mac G4 Cube", "Silver", "2000"],
        ]
    }
}
