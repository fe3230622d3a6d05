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
        // What is made once isn't the first input's.
        try? target.run([])
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        return LLVMFuzzerRunDriver(&count, &arguments) { bytes, byteCount in
            // Processor time, since others use the machine, too. libFuzzer counts whole seconds.
            let start = clock()
            do {
                let input = UnsafeBufferPointer(start: bytes, count: byteCount)
                try FuzzProgram.target.run(Array(input))
            } catch {
                fatalError("\(error)")
            }
            let milliseconds = (clock() - start) * 1_000 / Int(CLOCKS_PER_SEC)
            guard milliseconds <= FuzzProgram.target.mostMilliseconds else {
                fatalError("the input takes \(milliseconds) ms")
            }
            return 0
        }
    }
}
