import ArgumentParser
import ValetCommands

/// How a report is printed.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json

    func text(of report: some Encodable, table: () -> String) throws -> String {
        switch self {
        case .table: table()
        case .json: try JSON.line(of: report)
        }
    }
}

/// An object of a report as programs read it. What is nil is null there.
struct ReportObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var values: [String: any Encodable]

    init(dictionaryLiteral values: (String, any Encodable)...) {
        self.values = Dictionary(uniqueKeysWithValues: values)
    }

    /// Setting nil leaves the name out.
    subscript(name: String) -> (any Encodable)? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        for (name, value) in values {
            try object.encode(value, forKey: Name(stringValue: name))
        }
    }
}

extension Double {
    /// A histogram's three digits need no seventeen.
    func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
