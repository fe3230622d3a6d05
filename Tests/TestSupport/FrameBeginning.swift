/// The header of a frame of a kind that may be skipped, which announces so many bytes, and a little
/// of its payload.
package func frameBeginning(announcing length: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(length).littleEndian) { Array($0) } + [0xFE, 0, 0, 0]
        + Array(repeating: 7, count: min(length, 1_000))
}
