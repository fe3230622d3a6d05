/// The feed of invented albums that the gallery's list is loaded from.
///
/// Each edition has a new album, lacks the oldest, and rates every fourth one anew: so that each
/// refresh shows something. The same edition is the same everywhere.
enum GalleryAlbums {
    static let count = 240
    /// How often the next edition appears.
    static let secondsPerEdition = 5

    static func rss(edition: Int) -> String {
        let items = (edition..<edition + count).map { item($0, edition: edition) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:album="https://valet.invalid/album"><channel>
            <title>Albums, edition \(edition)</title>
            \(items.reversed().joined(separator: "\n"))
            </channel></rss>

            """
    }

    private static let adjectives = [
        "Quiet", "Golden", "Second", "Broken", "Northern", "Electric", "Paper", "Velvet", "Late",
        "Salt", "Hollow", "Winter", "Distant", "Crooked", "Silver", "Open",
    ]
    private static let nouns = [
        "Harbour", "Mirrors", "Season", "Engines", "Garden", "Letters", "Signals", "River",
        "Windows", "Carnival", "Bridges", "Weather", "Machines", "Orchard", "Shadows",
    ]
    static let artists = [
        "The Parking Lots", "Ada & the Valets", "Nine Garages", "Mira Solheim", "Tin Compass",
        "Los Faros", "Kept Keys", "Juno Abara", "Brass Ladder", "Ørsted Trio", "Pale Cabriolet",
        "Émile Courant", "Night Attendants", "Zündfolge",
    ]

    static func title(_ number: Int) -> String {
        adjectives[number * 7 % adjectives.count] + " " + nouns[number * 11 % nouns.count]
    }

    private static func item(_ number: Int, edition: Int) -> String {
        let title = title(number)
        let artist = artists[number * 5 % artists.count].replacing("&", with: "&amp;")
        let isRatedAnew = edition > 0 && number % 4 == edition % 4
        let rating = (number * 31 + (isRatedAnew ? edition : 0)) % 5 + 1
        let day = number % 28 + 1
        return """
            <item><guid>album-\(number)</guid><title>\(title)</title><author>\(artist)</author>
            <pubDate>\(day) Mar \(1970 + number % 57) 12:00:00 GMT</pubDate>
            <album:year>\(1970 + number % 57)</album:year>
            <album:rating>\(rating)</album:rating></item>
            """
    }
}
