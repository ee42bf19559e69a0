// swift-tools-version: 6.2
import PackageDescription

// A package of its own, built by Tools/fuzz with its own scratch folder: everything in it is instrumented, and a
// program that libFuzzer gives its main to cannot be built plainly.

let package = Package(
    name: "TouchlineFuzz",
    dependencies: [.package(name: "Touchline", path: "../..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "HID", package: "Touchline"), .product(name: "Recordings", package: "Touchline"),
            ],
            path: "Fuzz",
            swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"])])
    ]
)
