// UIKitOnLinux.swift: a build-tool plugin that compiles sources written for Apple's UIKit.
//
// Input     a target whose manifest line has `sources: ["UIKitOnLinux.swift"]` and this plugin
// Output    the other Swift files of the target's folder, rewritten
// Knows     paths. The rules are in Porting.
//
// Sources   documented  SwiftPM, BuildToolPlugin

import Foundation
import PackagePlugin

@main
struct UIKitOnLinux: BuildToolPlugin {
    /// The one file that SwiftPM compiles itself, because it refuses a target without a source file.
    static let placeholder = "UIKitOnLinux.swift"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? SwiftSourceModuleTarget else { return [] }
        let folder = target.directoryURL.path
        func paths(_ type: FileType) -> [String] {
            module.sourceFiles.filter { $0.type == type && $0.url.pathExtension == "swift" }
                .map { String($0.url.path.dropFirst(folder.count).drop { $0 == "/" }) }.sorted()
        }
        // With `sources:` in the manifest, SwiftPM knows the other files of the folder without a type.
        if let file = paths(.source).first(where: { $0 != Self.placeholder }) {
            Diagnostics.error(
                "target \(target.name) compiles \(file) as it is: its line in Package.swift needs "
                    + "sources: [\"\(Self.placeholder)\"], and the folder a file of that name, which may be empty")
            return []
        }
        let paths = paths(.unknown)
        let output = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Rewriting \(target.name) for Linux",
                executable: try context.tool(named: "uikit-on-linux").url,
                arguments: ["--output", output.path, "--root", folder] + paths,
                inputFiles: paths.map { target.directoryURL.appending(path: $0) },
                outputFiles: paths.map { output.appending(path: $0.dropLast(".swift".count) + ".linux.swift") }
                    + [output.appending(path: "Shadows.linux.swift")])
        ]
    }
}
