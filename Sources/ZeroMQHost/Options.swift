// Options.swift: what a supervisor needs to know before it has a core.

public import Settings

/// How a group is hosted. Values of the core's own are the core's business.
public struct SupervisorOptions: Sendable {
    /// The group's folder; made with mode 0700 when it is not there.
    public var runDirectory: String
    /// Of these the host itself reads `host.*` and `supervisor.stopDeadline`.
    public var settings: Settings
    /// The folder of the programs `input-kit`, `system-server` and `app`; nil for the one this program is in.
    public var executables: String?
    /// How many apps its core will be made with: its journal must say it.
    public var apps: UInt32

    public init(
        runDirectory: String, settings: Settings = Settings(), executables: String? = nil, apps: UInt32 = 0
    ) {
        (self.runDirectory, self.settings, self.executables) = (runDirectory, settings, executables)
        self.apps = apps
    }
}
