// swift-tools-version: 6.2
import PackageDescription

// Targets are written in the order an event meets them, each naming only targets
// written above it. `arrows` refuses the manifest when that stops being true.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

let commands = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yaml = Target.Dependency.product(name: "Yams", package: "Yams")
let http = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let histograms = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

nonisolated(unsafe) var written: Set<String> = []

func arrows(from name: String, to names: [String]) -> [Target.Dependency] {
    for other in names where !written.contains(other) {
        fatalError("\(name) depends on \(other), which is not written above it")
    }
    written.insert(name)
    return names.map { .target(name: $0) }
}

func library(
    _ name: String, _ below: String..., using packages: [Target.Dependency] = [], features: [String] = [],
    embedding files: [String] = []
) -> Target {
    // Without Foundation nothing else links libm, and a square root needs it in debug builds.
    .target(
        name: name, dependencies: arrows(from: name, to: below) + packages,
        resources: files.map { .embedInCode("Components/\($0)") },
        swiftSettings: settings + features.map { .enableExperimentalFeature($0) },
        linkerSettings: name == "Basics" ? [.linkedLibrary("m")] : [])
}

/// A program that each group starts (Docs/Decisions/StartAndMemory.md). Its release build contains the standard library,
/// which the loader then need not find, bind and relocate, and packed relocations. A test bundle has the objects of these
/// programs and would have their flags, and XCTest needs the shared library: so tests are debug builds. `Tools/install
/// --dynamic` sets TOUCHLINE_STDLIB=dynamic, for programs with the shared libraries.
///
/// - Parameter archives: What the archives of Foundation need.
func process(_ name: String, _ below: String..., archives: [String] = []) -> Target {
    let isStatic = Context.environment["TOUCHLINE_STDLIB"] != "dynamic"
    let relocations = keepsRelocations ? keptRelocations : ["-use-ld=lld"] + linker("-z", "pack-relative-relocs")
    let link = (isStatic ? ["-static-stdlib"] : []) + relocations + (isStatic ? archives.map { "-l\($0)" } : [])
    return .executableTarget(
        name: name, dependencies: arrows(from: name, to: below), swiftSettings: settings,
        linkerSettings: [.unsafeFlags(link, .when(platforms: [.linux], configuration: .release))])
}

/// Whether the release build of a program keeps the linker's relocations, with which llvm-bolt moves code
/// (Docs/Decisions/ProgramLayout.md). It reads no packed ones. `Tools/install --arranged` sets this.
let keepsRelocations = Context.environment["TOUCHLINE_RELOCATIONS"] == "keep"
let keptRelocations = ["-use-ld=lld"] + linker("--emit-relocs")

func linker(_ options: String...) -> [String] { options.flatMap { ["-Xlinker", $0] } }

func tool(_ name: String, in folder: String, _ below: String..., using packages: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: arrows(from: name, to: below) + packages, path: "Tools/\(folder)",
        swiftSettings: settings,
        linkerSettings: keepsRelocations
            ? [.unsafeFlags(keptRelocations, .when(platforms: [.linux], configuration: .release))] : [])
}

/// What tests share: goldens, stages, fingers.
func bench(_ name: String, _ below: String..., using packages: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: arrows(from: name, to: below) + packages, path: "Tests/\(name)",
        swiftSettings: settings)
}

func tests(_ name: String, _ below: String..., using packages: [Target.Dependency] = []) -> Target {
    .testTarget(name: name, dependencies: arrows(from: name, to: below) + packages, swiftSettings: settings)
}

func system(_ name: String, apt package: String) -> Target {
    written.insert(name)
    return .systemLibrary(name: name, providers: [.apt([package])])
}

func c(_ name: String, _ below: String..., defining definitions: [String: String] = [:]) -> Target {
    .target(
        name: name, dependencies: arrows(from: name, to: below),
        cSettings: definitions.map { .define($0, to: "\"\($1)\"") })
}

/// The commit that the programs name as theirs; Tools/install and Tools/package know it.
let commit = (Context.environment["TOUCHLINE_COMMIT"] ?? "").filter(\.isHexDigit)

let package = Package(
    name: "Touchline",
    products: [
        // For Tests/Fuzz, a package of its own: its instrumented build must not disturb the plain one.
        .library(name: "Basics", targets: ["Basics"]),
        .library(name: "HID", targets: ["HID"]),
        .library(name: "Wire", targets: ["Wire"]),
        .library(name: "Settings", targets: ["Settings"]),
        .library(name: "Hosting", targets: ["Hosting"]),
        .library(name: "Links", targets: ["Links"]),
        .library(name: "Journals", targets: ["Journals"]),
        .library(name: "Recordings", targets: ["Recordings"]),
        .library(name: "Synthesis", targets: ["Synthesis"]),
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "TouchlineTesting", targets: ["TouchlineTesting"]),
        .library(name: "TouchlineApp", targets: ["TouchlineApp"]),
        .plugin(name: "UIKitOnLinux", targets: ["UIKitOnLinux"]),
        .library(name: "InputKitCore", targets: ["InputKitCore"]),
        .library(name: "SystemServerCore", targets: ["SystemServerCore"]),
        .library(name: "AppCore", targets: ["AppCore"]),
        .library(name: "SupervisorCore", targets: ["SupervisorCore"]),
        .library(name: "Audit", targets: ["Audit"]),
        .library(name: "Simulator", targets: ["Simulator"]),
        .library(name: "Configuration", targets: ["Configuration"]),
        .library(name: "Scenarios", targets: ["Scenarios"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        // A zero version promises no compatibility.
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        // MARK: Ground: values every layer shares
        library("Basics"),
        library("Trace", "Basics"),
        library("ProcessServices"),

        // MARK: Vocabulary: what travels, and the contract that carries it
        library("HID", "Basics"),
        library("Wire", "Basics", "HID"),
        library("Settings", "Basics", "HID", "Wire"),
        library("Hosting", "Basics", "Trace", "HID", "Wire"),
        library("Faults", "Basics", "Wire"),
        c("CChecksum"),
        library("Journals", "Basics", "Trace", "HID", "Wire", "Hosting", "CChecksum"),

        // MARK: Mechanisms: one idea each, no process around it
        library("Links", "Basics", "HID", "Wire"),
        // Lifetimes: Fields.swift alone, a cursor over a line's bytes.
        library("Recordings", "Basics", "HID", features: ["Lifetimes"]),
        library("RunLoops", "Basics", "Trace"),
        library("_Testing_UIKit"),
        library("Gestures", "Basics", "Trace"),
        library("Synthesis", "Basics", "HID", "Recordings", "Gestures"),
        c("CConcurrency"),
        // Trees of views as values, and the one view that a name means.
        library("ViewTrees", "Basics"),
        // Real time and threads, for code outside of applications (Docs/Decisions/OneClock.md).
        library("SystemClock", "CConcurrency"),
        library(
            "UIKit", "Basics", "Trace", "ProcessServices", "HID", "_Testing_UIKit", "Gestures", "CConcurrency",
            "SystemClock", "ViewTrees"),
        library("SampleApps", "UIKit"),
        library("Porting"),

        // MARK: Cores: one sans-IO state machine per process
        library("InputKitCore", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Recordings"),
        library("SystemServerCore", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "RunLoops"),
        library(
            "AppCore", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "RunLoops", "Gestures",
            "UIKit",
            "ViewTrees"),
        library("SupervisorCore", "Basics", "Trace", "Wire", "Settings", "Hosting", "Faults"),

        // MARK: Readers: folds over what happened
        library("Audit", "Basics", "HID", "Wire", "Links", "Settings", "Hosting"),
        library("Explain", "Basics", "Trace"),
        library("Exports", "Basics", "Trace", "Explain"),
        library("Inspection", "Basics", "ViewTrees"),
        // Many seeds on many machines: the cut into shards, and the sum of their results (Docs/Decisions/Campaigns.md).
        library("Campaigns"),
        system("CSQLite", apt: "libsqlite3-dev"),
        library("CampaignStore", "Campaigns", "CSQLite"),

        // MARK: Invention: worlds out of seeds, and the laws that hold in all of them
        library("Monkey", "Basics", "Trace", "HID", "UIKit"),

        // MARK: Hosts: what runs a core, in simulation or for real
        library(
            "Configuration", "Basics", "Synthesis", "Settings", "Wire", "Faults", "Campaigns", using: [yaml]),
        library(
            "Simulator", "Basics", "Trace", "HID", "Wire", "Settings", "Hosting", "Faults", "Journals", "Recordings",
            "Synthesis",
            "UIKit", "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Audit"),
        // What happened in a run and what its apps showed, whatever has played it.
        library("Runs", "Basics", "Trace", "Wire", "Settings", "Hosting", "Explain", "ViewTrees"),
        library(
            "Scenarios", "Basics", "Trace", "Explain", "HID", "Wire", "Links", "Settings", "Hosting", "Recordings",
            "UIKit",
            "SampleApps",
            "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Configuration", "Faults", "Journals",
            "Audit", "Simulator", "ViewTrees", "Runs", using: [yaml]),
        // One page of HTML about a run, and the page of the inspector. Their scripts and styles are compiled in.
        library(
            "Page", "Basics", "Trace", "Explain", "Wire", "ViewTrees", "Runs",
            embedding: [
                "page.css", "markup.js", "run.js", "playback.js", "screen.js", "phone.js", "timeline.js",
                "explanation.js", "latency.js", "facts.js", "page.js",
                "inspect.css", "live.js", "touch.js", "device.js", "tabs.js", "tree.js", "layers.js", "now.js",
                "distribution.js", "log.js", "editor.js", "controls.js", "inspect.js",
            ]),
        // A local web page that touches a group: its messages, its fingers, what it shows.
        library(
            "Inspector", "Basics", "Trace", "HID", "Wire", "Explain", "Recordings", "ViewTrees", "Runs",
            "Page",
            using: [histograms]),
        // For tests of an app's own code: the one product of this row that users import.
        library(
            "TouchlineTesting", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Recordings",
            "Synthesis", "UIKit", "InputKitCore", "SystemServerCore", "AppCore", "Explain", "Simulator", "ViewTrees",
            "Runs", "Page"),
        system("CZeroMQ", apt: "libzmq3-dev"),
        system("CZlib", apt: "zlib1g-dev"),
        c("CSystem"),
        c("CAllocations"),
        c("CReference", "CZeroMQ"),
        c("CBuild", defining: commit.isEmpty ? [:] : ["TOUCHLINE_COMMIT": commit]),
        library(
            "ZeroMQHost", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Faults", "Journals",
            "Recordings",
            "CZeroMQ",
            "CZlib",
            "CSystem"),

        // An app of a user's package: it has no `process` among its dependencies, whose flags SwiftPM refuses there.
        library(
            "TouchlineApp", "Basics", "Trace", "Wire", "Settings", "Hosting", "Journals", "UIKit", "AppCore", "CSystem",
            "ZeroMQHost"),

        // MARK: Processes: a core, a host, and ten lines
        process("input-kit", "Basics", "Wire", "Hosting", "InputKitCore", "ZeroMQHost"),
        process("system-server", "Basics", "Wire", "Hosting", "SystemServerCore", "ZeroMQHost"),
        process(
            "app", "Scenarios", "ZeroMQHost", "TouchlineApp",
            archives: [
                "CoreFoundation", "FoundationInternationalization", "FoundationEssentials", "_FoundationICU",
                "_FoundationCShims", "_FoundationCollections", "dispatch", "BlocksRuntime",
            ]),

        // MARK: Tools: what a person runs
        tool(
            "touchline", in: "touchline", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting",
            "Recordings",
            "Synthesis",
            "UIKit", "SampleApps", "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Configuration",
            "Faults", "Journals", "Audit", "Explain", "Exports", "Simulator", "Scenarios",
            "Monkey", "Porting", "Campaigns", "CampaignStore", "CZeroMQ", "CSystem", "CAllocations", "CReference",
            "CBuild", "ZeroMQHost",
            "ViewTrees",
            "Inspection", "Runs", "Page", "Inspector", "CZlib",
            using: [commands, histograms, http]),
        // Compiles sources written for Apple's UIKit.
        tool("uikit-on-linux", in: "uikit-on-linux", "Porting"),
        .plugin(
            name: "UIKitOnLinux", capability: .buildTool(), dependencies: ["uikit-on-linux"], path: "Tools/UIKitOnLinux"
        ),
        // Runs by hand (Tools/try-in-browser): it needs a browser.
        tool("try-in-browser", in: "browser", "HID", "Recordings"),

        // For ProcessTests: an app as a user's package makes it.
        .executableTarget(
            name: "own-app", dependencies: arrows(from: "own-app", to: ["UIKit", "TouchlineApp"]),
            path: "Tests/OwnApp", swiftSettings: settings),

        // MARK: Tests: mirror Sources, then the whole pipeline, then the rules
        bench("Testbed", "Basics", "Trace", "HID", "Wire", "Hosting"),
        tests("BasicsTests", "Basics", "Testbed"),
        tests("TraceTests", "Basics", "Trace", "Testbed"),
        tests("HIDTests", "Basics", "HID", "Testbed"),
        tests("WireTests", "Basics", "HID", "Wire", "Testbed"),
        tests("SettingsTests", "Basics", "HID", "Wire", "Settings", "Testbed"),
        tests("LinksTests", "Basics", "HID", "Wire", "Links", "Testbed"),
        tests("FaultsTests", "Basics", "Wire", "Faults", "Testbed"),
        tests("JournalsTests", "Basics", "Trace", "HID", "Wire", "Hosting", "Journals", "Testbed"),
        tests("AuditTests", "Basics", "HID", "Wire", "Links", "Settings", "Hosting", "Audit", "Testbed"),
        tests("RecordingsTests", "Basics", "HID", "Recordings", "Testbed"),
        tests("SynthesisTests", "Basics", "HID", "Recordings", "Synthesis", "Testbed"),
        tests("RunLoopsTests", "Basics", "RunLoops", "Testbed"),
        tests("GesturesTests", "Basics", "Gestures", "Testbed"),
        tests("UIKitTests", "Basics", "Trace", "HID", "Gestures", "UIKit", "AppCore", "TouchlineTesting", "Testbed"),
        tests(
            "SampleAppsTests", "Wire", "Settings", "UIKit", "SampleApps", "Scenarios", "TouchlineTesting", "Testbed"),
        tests("PortingTests", "Basics", "Porting", "Testbed"),
        tests("MonkeyTests", "Trace", "UIKit", "Monkey", "Testbed"),
        tests(
            "InputKitCoreTests", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Recordings",
            "InputKitCore",
            "Testbed"),
        tests(
            "SystemServerCoreTests", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting",
            "SystemServerCore", "Testbed"
        ),
        tests(
            "AppCoreTests", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "RunLoops", "UIKit",
            "AppCore", "ViewTrees",
            "Testbed"),
        tests(
            "SupervisorCoreTests", "Basics", "Trace", "Wire", "Settings", "Hosting", "Faults", "SupervisorCore",
            "Testbed"),
        tests(
            "ConfigurationTests", "Basics", "Wire", "Synthesis", "Settings", "Faults", "Configuration",
            "Testbed"),
        tests(
            "SimulatorTests", "Basics", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Faults", "Journals",
            "Recordings",
            "Audit",
            "UIKit", "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Simulator", "Testbed"),
        tests(
            "ScenariosTests", "Basics", "Audit", "Trace", "HID", "Wire", "Links", "Settings", "Hosting", "Recordings",
            "UIKit",
            "InputKitCore", "SystemServerCore", "AppCore", "SupervisorCore", "Journals", "Simulator", "Runs",
            "Scenarios",
            "TouchlineTesting", "Testbed"),
        tests(
            "ZeroMQHostTests", "Basics", "Trace", "HID", "Wire", "Settings", "Hosting", "Faults", "Journals",
            "Recordings", "CZeroMQ",
            "CSystem",
            "CZlib", "ZeroMQHost", "Testbed"),
        tests(
            "PipelineTests", "Basics", "Trace", "Settings", "Wire", "Synthesis", "UIKit", "AppCore",
            "Scenarios",
            "Testbed"),
        tests("ConformanceTests", "Settings", "Scenarios", "Testbed"),
        tests("TouchlineTestingTests", "SystemClock", "UIKit", "TouchlineTesting"),
        tests(
            "ProcessTests", "Basics", "Trace", "CSystem", "CReference", "Wire", "Audit", "Runs", "Scenarios",
            "ZeroMQHost",
            "input-kit", "system-server",
            "app", "touchline", "own-app", "Testbed"),
        tests("InspectionTests", "Basics", "UIKit", "ViewTrees", "Inspection", "Scenarios", "Testbed"),
        tests("ExplainTests", "Basics", "Trace", "Gestures", "Explain", "Hosting", "Runs", "Scenarios", "Testbed"),
        tests("CampaignsTests", "Basics", "Campaigns", "CampaignStore", "Configuration", "Testbed", using: [yaml]),
        tests("ExportsTests", "Basics", "Trace", "Explain", "Exports", "Testbed"),
        tests("PageTests", "Basics", "Trace", "Explain", "Wire", "ViewTrees", "Runs", "Scenarios", "Page", "Testbed"),
        tests(
            "InspectorTests", "Basics", "Trace", "HID", "Wire", "Explain", "Recordings", "ViewTrees", "Runs",
            "Scenarios",
            "Page",
            "Inspector", "Testbed"),
        tests("PurityTests", "Testbed"),
    ]
)
