import CFuzzer
import Foundation

/// The program that libFuzzer drives. The target comes by the environment, since libFuzzer starts
/// the program again with its own arguments.
enum FuzzProgram {
    private static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["VALET_FUZZ_TARGET"] ?? ""
        if let target = FuzzTarget(rawValue: name) { return target }
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(Data("VALET_FUZZ_TARGET is one of \(names)\n".utf8))
        exit(2)
    }()

    static func run() -> CInt {
        _ = target
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        return LLVMFuzzerRunDriver(&count, &arguments) { bytes, byteCount in
            do {
                let input = UnsafeBufferPointer(start: bytes, count: byteCount)
                try FuzzProgram.target.run(Array(input))
            } catch {
                fatalError("\(error)")
            }
            return 0
        }
    }
}
