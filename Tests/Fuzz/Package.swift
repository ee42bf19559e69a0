// swift-tools-version: 6.2
import PackageDescription

// A package of its own, built by Tools/fuzz with its own scratch folder. Everything in it is instrumented, and a
// program that gets its main from libFuzzer cannot be built without that.

func program(_ folder: String, with own: [Target.Dependency] = [], _ modules: String...) -> Target {
    .executableTarget(
        name: "Fuzz\(folder)",
        dependencies: ["FuzzDriver"] + own + modules.map { .product(name: $0, package: "Touchline") }, path: folder,
        swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"])])
}

let package = Package(
    name: "TouchlineFuzz",
    dependencies: [.package(name: "Touchline", path: "../..")],
    targets: [
        .target(name: "FuzzDriver", path: "Driver", swiftSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "FuzzHost",
            dependencies: ["FuzzDriver"]
                + ["Basics", "HID", "Hosting"].map { .product(name: $0, package: "Touchline") },
            path: "Host", swiftSettings: [.treatAllWarnings(as: .error)]),
        program("Readers", "Basics", "HID", "Recordings"),
        program("Wire", "Basics", "Wire", "Hosting", "Journals"),
        program("Remote", "Basics", "HID", "Wire", "Hosting"),
        program("Texts", "Settings", "Synthesis", "Configuration", "Scenarios"),
        program("Input", with: ["FuzzHost"], "Basics", "HID", "Wire", "Settings", "Hosting", "Links", "InputKitCore"),
        program(
            "Server", with: ["FuzzHost"], "Basics", "HID", "Wire", "Settings", "Hosting", "Links", "SystemServerCore"),
        program(
            "Runs", "Basics", "HID", "Wire", "Settings", "Hosting", "Journals", "InputKitCore", "SystemServerCore",
            "AppCore",
            "SupervisorCore", "Audit", "Simulator", "Scenarios"),
        program("App", with: ["FuzzHost"], "Basics", "HID", "Wire", "Settings", "Hosting", "Links", "UIKit", "AppCore"),
    ]
)
