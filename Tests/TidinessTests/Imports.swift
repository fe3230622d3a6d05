/// The order of modules: imports go up this list, never down or sideways. SwiftPM does not see to
/// it, since a target can import whatever else was built.
enum Imports {
    struct Module {
        var name: String
        /// Modules of ours.
        var ours: [String] = []
        /// Modules of packages and of the system's libraries.
        var others: [String] = []
        /// Foundation and the C library: kept out where bytes and values are all there is.
        var platform = true
    }

    static let modules = [
        Module(name: "ValetModel", platform: false),
        Module(
            name: "ValetProtocol", ours: ["ValetModel"], others: ["CLZ4", "NIOCore"],
            platform: false),
        Module(name: "ValetReference", ours: ["ValetModel"]),
        Module(
            name: "ValetArrangement", ours: ["ValetModel"],
            others: ["HashTreeCollections"]),
        Module(
            name: "ValetStore", ours: ["ValetModel", "ValetArrangement"],
            others: ["CSQLite", "CYAML", "Crypto"]),
        Module(
            name: "ValetSecurity", ours: ["ValetModel"],
            others: ["Crypto", "NIOCore", "NIOSSL", "SwiftASN1", "X509"]),
        Module(
            name: "ValetCluster", ours: ["ValetModel"], others: ["Crypto"], platform: false),
        Module(
            name: "ValetJetStream", ours: ["ValetModel", "ValetCluster"], others: ["CNATS"]),
        Module(
            name: "ValetFetch", ours: ["ValetModel"],
            others: ["CCurl", "CExpat", "iconv"]),
        Module(
            name: "ValetServer",
            ours: [
                "ValetModel", "ValetProtocol", "ValetArrangement", "ValetStore", "ValetSecurity",
                "ValetCluster",
            ],
            others: [
                "NIOCore", "NIOPosix", "NIOHTTP1", "Logging", "Histogram", "DequeModule",
                "HeapModule", "OrderedCollections", "HashTreeCollections",
            ]),
        Module(
            name: "ValetClient", ours: ["ValetModel", "ValetProtocol", "ValetSecurity"],
            others: ["NIOCore", "NIOPosix", "DequeModule", "OrderedCollections"]),
        Module(name: "ValetTerminal", ours: ["ValetModel", "ValetClient"]),
        Module(
            name: "ValetCommands",
            ours: [
                "ValetModel", "ValetClient", "ValetTerminal", "ValetServer", "ValetStore",
                "ValetSecurity", "ValetCluster", "ValetJetStream",
            ],
            others: [
                "ArgumentParser", "CBuild", "CMalloc", "CXLSX", "Logging", "NIOPosix",
                "UnixSignals",
            ]),
        Module(
            name: "ValetLoad",
            ours: [
                "ValetModel", "ValetProtocol", "ValetReference", "ValetArrangement", "ValetClient",
                "ValetTerminal", "ValetServer", "ValetStore", "ValetSecurity", "ValetCommands",
            ],
            others: ["NIOCore", "NIOPosix", "ArgumentParser", "Histogram"]),
        Module(name: "valetd", ours: ["ValetModel", "ValetCommands"]),
        Module(name: "valet", ours: ["ValetModel", "ValetCommands", "ValetFetch"]),
        Module(name: "valet-fetch", ours: ["ValetModel", "ValetFetch"]),
        Module(name: "valet-load", ours: ["ValetModel", "ValetLoad"]),
    ]

    /// What several suites share. Only tests import it: no module of the product names it.
    private static let testSupport = Module(
        name: "TestSupport",
        ours: [
            "ValetModel", "ValetProtocol", "ValetStore", "ValetSecurity", "ValetCluster",
            "ValetServer",
        ],
        others: ["CSQLite", "NIOCore", "NIOPosix", "Logging", "Testing"])

    private static let cLibraries = ["Glibc", "Musl", "Darwin", "Dispatch"]
    /// A file that locks has `Mutex` from the model, where `Scripts/sanitize` puts another.
    private static let atomic = "import struct Synchronization.Atomic"
    private static let lock = "Sources/ValetModel/Mutex.swift"
    /// Screens are functions of state, orders of memory: the C library is for the terminal's modes
    /// and for comparing bytes, no more. The program that fetches would be twice as large.
    private static let modulesWithoutFoundation = [
        "ValetTerminal", "ValetArrangement", "ValetFetch",
    ]

    /// What of the model asks the system: for its time zones, the bytes of files, a lock, and the
    /// priority of a thread.
    private static let filesWithSystem = [
        "Sources/ValetModel/OpenFile.swift", "Sources/ValetModel/ZoneClock+Reading.swift",
        "Sources/ValetModel/ThreadPriority.swift", lock,
    ]

    static func complaints(about file: SourceFile) -> [Complaint] {
        guard file.isSwift, let target = file.target else { return [] }
        guard var allowed = allowed(in: target) else {
            return [Complaint(path: file.path, message: "stands in an unknown module")]
        }
        if filesWithSystem.contains(file.path) { allowed.formUnion(cLibraries) }
        if file.path == lock { allowed.insert("Synchronization") }
        return file.lines.compactMap { line in
            guard let module = importedModule(line.text), !allowed.contains(module),
                line.text != atomic
            else { return nil }
            return Complaint(
                path: file.path, line: line.number, message: "\(target) may not import \(module)")
        }
    }

    /// The module of an import declaration: `@testable import X`, `import struct X.Y`.
    static func importedModule(_ line: Substring) -> String? {
        guard line.utf8Contains("import ") else { return nil }
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
            words[..<keyword].allSatisfy({ modifiers.contains($0) || $0.hasPrefix("@") })
        else { return nil }
        let isKind = kinds.contains(words[keyword + 1]) && keyword + 2 < words.count
        let path = isKind ? words[keyword + 2] : words[keyword + 1]
        return String(path.prefix { $0 != "." && $0 != ";" })
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
    ]

    private static func allowed(in target: String) -> Set<String>? {
        if let module = (modules + [testSupport]).first(where: { $0.name == target }) {
            var allowed = Set(module.ours + module.others + ["Swift"])
            if module.platform {
                allowed.formUnion(cLibraries)
                if !modulesWithoutFoundation.contains(target) { allowed.insert("Foundation") }
            }
            return allowed
        }
        return allowed(inTests: target)
    }

    /// A module's tests import it and what stands above it in the list, but C's libraries only
    /// where the module itself does.
    private static func allowed(inTests target: String) -> Set<String>? {
        guard target.hasSuffix("Tests") else { return nil }
        let tested = String(target.dropLast("Tests".count))
        let platform = Set(["Testing", "Foundation", testSupport.name, "Swift"] + cLibraries)
        guard let place = modules.firstIndex(where: { $0.name == tested }) else {
            return acrossModules[target].map { platform.union(modules.map(\.name)).union($0) }
        }
        let above = modules[...place]
        let cModules = [
            "CSQLite", "CLZ4", "CYAML", "CExpat", "CCurl", "CBuild", "CMalloc", "CXLSX",
        ]
        let packages = above.flatMap(\.others).filter { !cModules.contains($0) }
        return platform.union(above.map(\.name)).union(packages).union(modules[place].others)
            .union(["NIOEmbedded"])
    }

    /// With what else they import.
    private static let acrossModules = [
        "EndToEndTests": [], "ProtocolRuleTests": [], "SimulationTests": [], "TidinessTests": [],
        "FuzzTests": ["NIOCore", "NIOEmbedded", "CFuzzer"],
    ]
}
