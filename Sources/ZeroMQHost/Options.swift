// Options.swift: the options of a supervisor's host.

public import Settings

/// How a group is hosted. The core validates its own settings.
public struct SupervisorOptions: Sendable {
    /// The group's folder, created with mode 0700 if it does not exist.
    public var runDirectory: String
    /// The group's settings. The host itself reads `host.*`, `journal.*`, `remote.*`, `chaos.allowed` and
    /// `supervisor.stopDeadline`.
    public var settings: Settings
    /// The folder of the programs `input-kit`, `system-server` and `app`; nil for the folder of this program.
    public var executables: String?
    /// The number of apps of its core, which its journal must contain.
    public var apps: UInt32

    public init(
        runDirectory: String, settings: Settings = Settings(), executables: String? = nil, apps: UInt32 = 0
    ) {
        (self.runDirectory, self.settings, self.executables) = (runDirectory, settings, executables)
        self.apps = apps
    }
}
