// swift-tools-version: 6.2
import PackageDescription

// Three components for iOS and their tests. On a Mac, Xcode builds the same files with Apple's UIKit. On Linux, the plugin
// UIKitOnLinux compiles them, and TouchlineTesting puts fingers on them.

#if os(Linux)
    let packages: [Package.Dependency] = [.package(name: "touchline", path: "..")]

    func component(_ name: String) -> Target {
        .target(
            name: name, dependencies: [.product(name: "UIKit", package: "touchline")], sources: ["UIKitOnLinux.swift"],
            plugins: [.plugin(name: "UIKitOnLinux", package: "touchline")])
    }
    let testing: [Target.Dependency] = [.product(name: "TouchlineTesting", package: "touchline")]
#else
    let packages: [Package.Dependency] = []

    func component(_ name: String) -> Target { .target(name: name) }
    let testing: [Target.Dependency] = []
#endif

let package = Package(
    name: "Examples",
    platforms: [.iOS(.v16)],
    dependencies: packages,
    targets: [
        component("Knob"),
        component("CardStack"),
        component("Sheet"),
        .testTarget(name: "ExampleTests", dependencies: ["Knob", "CardStack", "Sheet"] + testing),
    ])
