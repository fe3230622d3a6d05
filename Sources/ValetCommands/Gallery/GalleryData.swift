/// What the gallery's lists are filled with: files beside this one, which are built in.
enum GalleryData {
    /// First and last names; `_` stands for a blank in a name.
    ///
    /// From dariusk/corpora (https://github.com/dariusk/corpora), CC0.
    static var names: [String] {
        lines(of: PackageResources.names_txt).map { $0.replacing("_", with: " ") }
    }

    /// Name, capital, population and continent of the countries.
    ///
    /// From GeoNames (https://www.geonames.org), CC BY 4.0.
    static var countries: [[String]] {
        lines(of: PackageResources.countries_txt).map { line in
            var fields = fields(of: line)
            if let code = fields.popLast() { fields.append(continents[code] ?? code) }
            return fields
        }
    }

    /// Names and colours of crayons.
    ///
    /// From dariusk/corpora (https://github.com/dariusk/corpora), CC0.
    static var crayons: [[String]] { lines(of: PackageResources.crayons_txt).map(fields) }

    private static let continents = [
        "AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America",
        "OC": "Oceania", "SA": "South America",
    ]

    private static func lines(of file: [UInt8]) -> [String] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func fields(of line: String) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
}
