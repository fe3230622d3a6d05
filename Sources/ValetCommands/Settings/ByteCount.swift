import ArgumentParser

/// A number of bytes as a person writes it: `512M`, `2G`, or plain bytes.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = argument.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? argument : String(argument.dropLast())),
            number >= 0
        else { return nil }
        let product = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !product.overflow else { return nil }
        bytes = product.partialValue
    }
}
