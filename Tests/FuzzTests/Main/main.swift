import CFuzzer
import Foundation

// The program that libFuzzer drives. The target comes by the environment, since libFuzzer starts
// the program again with its own arguments.
let name = ProcessInfo.processInfo.environment["VALET_FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    FileHandle.standardError.write(Data("VALET_FUZZ_TARGET is one of \(names)\n".utf8))
    exit(2)
}
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
let status = LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
    do {
        try target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
exit(status)
