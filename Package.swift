// swift-tools-version: 6.2

import PackageDescription

var strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
// `Scripts/sanitize` sets it.
if Context.environment["VALET_SANITIZED"] != nil { strict.append(.define("SANITIZED")) }

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
// One by one: with all of them comes what nothing here uses.
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let ordered = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let hashTrees = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let unixSignals = Target.Dependency.product(
    name: "UnixSignals", package: "swift-service-lifecycle")
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

// What is built, for `--version`; `Scripts/build` tells it.
let commit = (Context.environment["VALET_COMMIT"] ?? "").filter {
    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
}

let package = Package(
    name: "valet",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ValetClient", targets: ["ValetClient"]),
        .executable(name: "valetd", targets: ["valetd"]),
        .executable(name: "valet", targets: ["valet"]),
        .executable(name: "valet-load", targets: ["valet-load"]),
        .executable(name: "valet-fetch", targets: ["valet-fetch"]),
    ],
    // Off by default: then nothing of NATS is needed.
    traits: [
        .trait(name: "Cluster", description: "Nodes of a cluster, on NATS JetStream (libnats).")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CLZ4", pkgConfig: "liblz4",
            providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats",
            providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
        // libcurl, loaded when it is first needed.
        .target(name: "CCurl"),
        // libxlsxwriter, likewise.
        .target(name: "CXLSX"),
        // What Swift's own module of the C library leaves out.
        .systemLibrary(name: "CMalloc"),
        // The commit that is built.
        .target(name: "CBuild", cSettings: [.define("VALET_COMMIT", to: "\"\(commit)\"")]),

        // From the innermost outwards: a module imports only modules above it in this list.
        .target(name: "ValetModel", swiftSettings: strict),
        .target(
            name: "ValetProtocol", dependencies: ["ValetModel", "CLZ4", nioCore],
            swiftSettings: strict),
        // What queries must find: servers are checked against it, so they are not made of it.
        .target(name: "ValetReference", dependencies: ["ValetModel"], swiftSettings: strict),
        .target(
            name: "ValetArrangement", dependencies: ["ValetModel", hashTrees],
            swiftSettings: strict),
        .target(
            name: "ValetStore",
            dependencies: ["ValetModel", "ValetArrangement", "CSQLite", "CYAML", crypto],
            swiftSettings: strict),
        // Who a server is, and how a client knows.
        .target(
            name: "ValetSecurity",
            dependencies: ["ValetModel", nioCore, nioSSL, crypto, x509, asn1],
            swiftSettings: strict),
        // What one node of a cluster decides.
        .target(
            name: "ValetCluster", dependencies: ["ValetModel", crypto], swiftSettings: strict),
        // The log of a cluster in NATS JetStream; nothing without the trait.
        .target(
            name: "ValetJetStream",
            dependencies: [
                "ValetModel", "ValetCluster",
                .target(name: "CNATS", condition: .when(traits: ["Cluster"])),
            ], swiftSettings: strict),
        // The program that the server starts to load a list from elsewhere.
        .target(
            name: "ValetFetch", dependencies: ["ValetModel", "CCurl", "CExpat"],
            swiftSettings: strict),
        .target(
            name: "ValetServer",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetArrangement", "ValetStore", "ValetSecurity",
                "ValetCluster", nioCore, nioPosix, nioHTTP1, logging, histogram, deque, heap,
                ordered, hashTrees,
            ],
            swiftSettings: strict),
        .target(
            name: "ValetClient",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetSecurity", nioCore, nioPosix, deque, ordered,
            ],
            swiftSettings: strict),
        .target(
            name: "ValetTerminal", dependencies: ["ValetModel", "ValetClient"],
            swiftSettings: strict),
        .target(
            name: "ValetCommands",
            dependencies: [
                "ValetModel", "ValetClient", "ValetTerminal", "ValetServer", "ValetStore",
                "ValetSecurity", "ValetCluster", "ValetJetStream", "CBuild", "CMalloc", "CXLSX",
                argumentParser, logging,
                unixSignals, nioPosix,
            ],
            // What `valet help` prints.
            resources: [
                "Terminal", "Scripts", "Conditions", "Catalog", "Dates", "Refresh",
                "Configuration", "Operations", "Architecture",
            ].map { .embedInCode("Valet.docc/\($0).md") }
                + ["names", "countries", "crayons"].map {
                    .embedInCode("Gallery/Data/\($0).txt")
                },
            swiftSettings: strict),
        .target(
            name: "ValetLoad",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetReference", "ValetArrangement", "ValetClient",
                "ValetTerminal", "ValetServer", "ValetStore", "ValetSecurity", "ValetCommands",
                nioCore, nioPosix, argumentParser, histogram,
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "valet-fetch", dependencies: ["ValetFetch"], swiftSettings: strict),
        .executableTarget(
            name: "valetd", dependencies: ["ValetCommands"], swiftSettings: strict),
        .executableTarget(
            name: "valet", dependencies: ["ValetCommands", "ValetFetch"], swiftSettings: strict),
        .executableTarget(
            name: "valet-load", dependencies: ["ValetLoad"], swiftSettings: strict),

        // What several suites need, and nothing else.
        .target(
            name: "TestSupport",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetStore", "ValetSecurity", "ValetCluster",
                "ValetServer", "CSQLite", logging, nioCore, nioPosix,
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "ValetModelTests", dependencies: ["ValetModel", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetProtocolTests", dependencies: ["ValetProtocol", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetReferenceTests", dependencies: ["ValetReference"], swiftSettings: strict),
        .testTarget(
            name: "ValetArrangementTests", dependencies: ["ValetArrangement", "ValetReference"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetStoreTests", dependencies: ["ValetStore", "CSQLite", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetClusterTests", dependencies: ["ValetCluster", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetSecurityTests",
            dependencies: ["ValetSecurity", "TestSupport", nioSSL],
            swiftSettings: strict),
        .testTarget(
            name: "ValetFetchTests", dependencies: ["ValetFetch", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetServerTests",
            dependencies: ["ValetServer", "TestSupport", "valet-fetch", nioEmbedded],
            swiftSettings: strict),
        .testTarget(
            name: "ValetClientTests",
            dependencies: ["ValetClient", "ValetServer", "TestSupport", nioEmbedded, nioSSL],
            swiftSettings: strict),
        .testTarget(
            name: "ValetTerminalTests",
            dependencies: ["ValetTerminal", "ValetReference", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetCommandsTests", dependencies: ["ValetCommands", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ValetLoadTests", dependencies: ["ValetLoad", "TestSupport", nioEmbedded],
            swiftSettings: strict),
        // Random edits against a model, with everything that can go wrong between.
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetReference", "ValetStore", "ValetCluster",
                "ValetServer", "ValetClient", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ValetModel", "ValetProtocol", "ValetReference", "TestSupport", "valet", "valetd",
                "valet-load", "valet-fetch",
            ],
            swiftSettings: strict),
        // Each rule of Proto/PROTOCOL.md, over a socket. The bytes are made from the document
        // alone: nothing here may import ValetProtocol.
        .testTarget(
            name: "ProtocolRuleTests",
            dependencies: [
                "ValetModel", "ValetServer", "ValetClient", "ValetTerminal", "TestSupport", "valet",
                "valet-fetch",
            ],
            swiftSettings: strict),
        .testTarget(name: "TidinessTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// The same sources are a suite, and for `Scripts/fuzz` a program.
let fuzzed: [Target.Dependency] = [
    "ValetModel", "ValetProtocol", "ValetSecurity", "ValetStore", "ValetServer", "ValetClient",
    "ValetTerminal", "ValetCommands", "TestSupport", nioCore, nioEmbedded,
]
if Context.environment["VALET_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, exclude: ["Corpus", "Main", "CFuzzer"],
            swiftSettings: strict))
} else {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/FuzzTests/CFuzzer"),
        .executableTarget(
            name: "valet-fuzz", dependencies: fuzzed + ["CFuzzer"], path: "Tests/FuzzTests",
            exclude: ["Corpus", "CFuzzer", "FuzzTests.swift"], swiftSettings: strict),
    ]
}
