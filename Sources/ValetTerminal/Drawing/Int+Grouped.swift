extension Int {
    /// `1204117` as `1,204,117`.
    package var grouped: String { (self < 0 ? "-" : "") + String(magnitude).groupedDigits }
}

extension StringProtocol {
    /// Digits with a comma between thousands.
    var groupedDigits: String {
        let count = utf8.count
        var bytes: [UInt8] = []
        for (place, digit) in utf8.enumerated() {
            if place > 0, (count - place).isMultiple(of: 3) { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digit)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
