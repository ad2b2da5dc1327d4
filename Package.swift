// swift-tools-version: 6.2
import PackageDescription

/// In a strict build (`make check`) a warning of ours is an error; nobody who depends on this package has to bear that.
let strictness: [SwiftSetting] =
  Context.environment["MATINEE_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : []

/// Every target takes the language's next defaults early.
let settings: [SwiftSetting] =
  strictness + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]

typealias Dependency = Target.Dependency
let arguments = Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let httpTypes = Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let configuration = Dependency.product(name: "Configuration", package: "swift-configuration")
let hummingbird = Dependency.product(name: "Hummingbird", package: "hummingbird")
let issueReporting = Dependency.product(name: "IssueReporting", package: "xctest-dynamic-overlay")
let issueReportingTestSupport = Dependency.product(
  name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay")
let logging = Dependency.product(name: "Logging", package: "swift-log")
let metrics = Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let metricsTestKit = Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let nioSSL = Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
func nio(_ name: String) -> Dependency { .product(name: name, package: "swift-nio") }

func library(_ name: String, _ dependencies: [Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

// The arrows run one way, from the command down to the system's SQLite; ARCHITECTURE.md draws them.
let storage: [Target] = [
  .systemLibrary(name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  library("AtomicFileWriting", []),
  library("SQLiteBinding", ["AtomicFileWriting", "SystemSQLite"]),
  .target(
    name: "MovieMigrations", path: "Migrations",
    resources: [
      .embedInCode("0001-initial.sql"), .embedInCode("0002-quota-breaker-lease.sql"),
      .embedInCode("0003-lists-codes-changes.sql"),
    ],
    swiftSettings: settings),
  library("SQLiteMovieStore", ["CatalogEngine", "MovieMigrations", "SQLiteBinding"]),
]

let network: [Target] = [
  library("HTTPTransport", [httpTypes]),
  library(
    "AsyncHTTPTransport",
    [
      "HTTPTransport", httpTypes, asyncHTTPClient, nioSSL,
      nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOEmbedded"),
      .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
    ]),
  library("URLSessionTransport", ["HTTPTransport", httpTypes]),
]

let catalog: [Target] = [
  library("CatalogEngine", ["HTTPTransport", httpTypes, logging, metrics]),
  library("KOBIS", ["CatalogEngine", httpTypes]),
  .target(
    name: "KOBISFixtures", path: "Fixtures", exclude: ["README.md", "answers"],
    sources: ["RecordedWeek.swift"],
    resources: [.embedInCode("recorded")], swiftSettings: settings),
  library("KOBISRecorded", ["HTTPTransport", "KOBIS", "KOBISFixtures", "CatalogEngine", httpTypes]),
  library(
    "Matinee",
    [
      "AsyncHTTPTransport", "CatalogEngine", "HTTPTransport", "KOBIS", "KOBISRecorded", "SQLiteMovieStore",
      logging, metrics,
    ]),
]

let command: [Target] = [
  library(
    "MatineeCommand",
    [
      "AtomicFileWriting", "CatalogEngine", "HTTPTransport", "KOBIS", "KOBISRecorded", "Matinee",
      "SQLiteMovieStore", arguments, configuration, httpTypes, logging,
    ]),
  .executableTarget(
    name: "matinee", dependencies: ["CatalogEngine", "MatineeCommand"], swiftSettings: settings),
  .executableTarget(
    name: "matinee-simulator",
    dependencies: [
      "CatalogEngine", "HTTPTransport", "KOBIS", "MatineeTesting", arguments, httpTypes, hummingbird, logging,
    ], path: "Sources/MatineeSimulator", swiftSettings: settings),
]

let testing: [Target] = [
  library("HTTPSessionTesting", ["HTTPTransport", "URLSessionTransport", httpTypes, issueReporting]),
  library("HTTPSessionTestingReporting", [issueReportingTestSupport]),
  library(
    "HTTPSessionTestingTraits", ["HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport"]),
  library(
    "MatineeTesting", ["CatalogEngine", "HTTPSessionTesting", "HTTPTransport", "KOBIS", "Matinee", httpTypes]),
]

let examples: [Target] = [
  .target(
    name: "EndpointClient", dependencies: ["URLSessionTransport"], path: "Examples/EndpointClient/Sources",
    swiftSettings: settings),
  .testTarget(
    name: "EndpointClientTests",
    dependencies: [
      "EndpointClient", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport",
      "URLSessionTransport",
      httpTypes,
    ], path: "Examples/EndpointClient/Tests", swiftSettings: settings),
]

let suites: [Target] = [
  .target(
    name: "LoopbackServer",
    dependencies: [
      "HTTPTransport", httpTypes, asyncHTTPClient, nioSSL, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
    ], path: "Tests/Support/LoopbackServer", swiftSettings: settings),
  .target(name: "SpawnedProcess", path: "Tests/Support/SpawnedProcess", swiftSettings: settings),
  .target(
    name: "Recordings", dependencies: ["CatalogEngine", "SpawnedProcess"], path: "Tests/Support/Recordings",
    swiftSettings: settings),
  .target(
    name: "UpstreamFaults", dependencies: ["HTTPSessionTesting", "HTTPTransport", httpTypes],
    path: "Tests/Support/UpstreamFaults", swiftSettings: settings),
  tests(
    "LoopbackServerTests",
    ["HTTPTransport", "LoopbackServer", httpTypes, asyncHTTPClient, nio("NIOCore"), nio("NIOHTTP1")]),
  tests("AtomicFileWritingTests", ["AtomicFileWriting", "SpawnedProcess"]),
  tests("SQLiteBindingTests", ["SQLiteBinding"]),
  .testTarget(
    name: "SQLiteMovieStoreTests",
    dependencies: ["CatalogEngine", "MovieMigrations", "SQLiteBinding", "SQLiteMovieStore"],
    resources: [.copy("Schemas")], swiftSettings: settings),
  tests(
    "HTTPTransportTests",
    ["AsyncHTTPTransport", "HTTPTransport", "LoopbackServer", "URLSessionTransport", httpTypes]),
  tests(
    "AsyncHTTPTransportTests", ["AsyncHTTPTransport", "HTTPTransport", "LoopbackServer", httpTypes, nioSSL]),
  tests("URLSessionTransportTests", ["HTTPTransport", "LoopbackServer", "URLSessionTransport", httpTypes]),
  tests(
    "CatalogEngineTests",
    ["CatalogEngine", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport", httpTypes]),
  tests(
    "KOBISTests",
    [
      "CatalogEngine", "HTTPTransport", "KOBIS", "KOBISFixtures", "KOBISRecorded", "Recordings", httpTypes,
    ]),
  .testTarget(
    name: "HTTPSessionTestingTests",
    dependencies: [
      "HTTPSessionTesting", "HTTPSessionTestingTraits", "HTTPTransport", "URLSessionTransport", httpTypes,
    ],
    exclude: ["Cassettes"], resources: [.copy("Fixtures")], swiftSettings: settings),
  tests(
    "HTTPSessionTestingContractTests",
    [
      "AsyncHTTPTransport", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport",
      "LoopbackServer",
      "URLSessionTransport", httpTypes,
    ]),
  tests(
    "MatineeTests",
    [
      "CatalogEngine", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport", "KOBISFixtures",
      "Matinee",
      "MatineeTesting", httpTypes, logging, metrics, metricsTestKit,
    ]),
  tests("MatineeTestingTests", ["CatalogEngine", "HTTPTransport", "KOBIS", "MatineeTesting", httpTypes]),
  tests(
    "MatineeSimulatorTests",
    [
      "CatalogEngine", "HTTPTransport", "KOBIS", "MatineeTesting", "matinee-simulator", arguments, httpTypes,
      hummingbird, logging, .product(name: "HummingbirdTesting", package: "hummingbird"),
    ]),
  tests(
    "AcceptanceTests",
    [
      "AsyncHTTPTransport", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport", "KOBIS",
      "LoopbackServer", "Matinee", "MatineeTesting", "Recordings", "UpstreamFaults", httpTypes, logging,
    ]),
  tests(
    "MatineeCommandTests",
    [
      "CatalogEngine", "HTTPSessionTesting", "HTTPSessionTestingReporting", "HTTPTransport", "KOBIS",
      "KOBISRecorded", "LoopbackServer", "Matinee", "MatineeCommand", "MatineeTesting", "Recordings",
      "SQLiteBinding", "SpawnedProcess", "UpstreamFaults", "matinee", arguments, httpTypes, logging,
    ]),
]

let package = Package(
  name: "matinee",
  products: [
    .library(name: "Matinee", targets: ["Matinee"]),
    .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
    .library(name: "URLSessionTransport", targets: ["URLSessionTransport"]),
    .library(name: "HTTPSessionTesting", targets: ["HTTPSessionTesting", "HTTPSessionTestingReporting"]),
    .library(name: "HTTPSessionTestingTraits", targets: ["HTTPSessionTestingTraits"]),
    .library(name: "MatineeTesting", targets: ["MatineeTesting"]),
    .executable(name: "matinee", targets: ["matinee"]),
    .executable(name: "matinee-simulator", targets: ["matinee-simulator"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // Without its JSON, which would link all of Foundation and its ICU into the command.
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.5.0"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
  ],
  targets: storage + network + catalog + command + testing + examples + suites
)
