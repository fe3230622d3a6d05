import ValetModel

/// Invented artists, their records and tracks, which refer to one another by foreign keys.
enum GalleryMusic {
    static var sql: String {
        """
        CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT, since INTEGER);
        CREATE TABLE records (id INTEGER PRIMARY KEY, title TEXT,
            artist_id INTEGER REFERENCES artists, year INTEGER);
        CREATE TABLE tracks (id INTEGER PRIMARY KEY, title TEXT,
            record_id INTEGER REFERENCES records, place INTEGER, length INTEGER,
            loved BOOLEAN DEFAULT 0);
        INSERT INTO artists VALUES \(artists.joined(separator: ", "));
        INSERT INTO records VALUES \(records.joined(separator: ", "));
        INSERT INTO tracks VALUES \(tracks.joined(separator: ", "));
        """
    }

    private static let recordsPerArtist = 4
    private static let tracksPerRecord = 9
    private static var recordCount: Int { GalleryAlbums.artists.count * recordsPerArtist }

    private static var artists: [String] {
        GalleryAlbums.artists.enumerated().map { place, name in
            "(\(place + 1), \(name.inSingleQuotes), \(1_968 + place * 7 % 45))"
        }
    }

    private static var records: [String] {
        (0..<recordCount).map { record in
            let artist = record / recordsPerArtist
            let year = 1_970 + artist * 7 % 45 + record % recordsPerArtist * 3
            let title = GalleryAlbums.title(record * 3 + 1)
            return "(\(record + 1), \(title.inSingleQuotes), \(artist + 1), \(year))"
        }
    }

    private static var tracks: [String] {
        (0..<recordCount * tracksPerRecord).map { track in
            let (record, place) = (track / tracksPerRecord, track % tracksPerRecord)
            let title = words[track * 7 % words.count] + " " + places[track * 5 % places.count]
            let length = 122 + track * 37 % 263
            return "(\(track + 1), \(title.inSingleQuotes), \(record + 1), \(place + 1), "
                + "\(length), \(track % 11 == 4 ? 1 : 0))"
        }
    }

    private static let words = [
        "Waiting for", "Back to", "Nothing like", "Keys to", "A night in", "Before", "Leaving",
        "Lights of", "The road to", "Home from", "Under", "Far from", "Songs about",
    ]
    private static let places = [
        "the garage", "Level 4", "the river", "Monday", "her red coat", "an empty street",
        "the last train", "Lisbon", "summer", "the ticket office", "midnight", "your window",
        "the sea", "a small hotel", "rain", "the north gate", "July",
    ]
}
