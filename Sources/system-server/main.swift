// main.swift: the process of the system server.
//
// Station   router
// Input     a launch order from the supervisor, or options of a person
// Output    SystemServerCore, run by ZeroMQHost
//
// Sources   invented

import Glibc
import Hosting
import SystemServerCore
import Wire
import ZeroMQHost

extension ProgramOptions {
    static let systemServer = ProgramOptions(
        "system-server", abstract: "Decides at its landing which app receives a touch until it lifts.",
        discussion: """
            `touchline up` starts this program. For debugging, `system-server --run-dir DIR` makes the folder, listens on \
            DIR/input.sock and DIR/app.sock, and accepts every process of the same user. Then start `app --run-dir DIR` \
            and `input-kit --run-dir DIR --play FILE`.
            """,
        [.runDirectory, .setting])
}

/// - Returns: The exit status.
func runSystemServer() -> Int32 {
    let values = ProgramOptions.systemServer.parseCommandLine()
    let process = ProcessSetup(
        "system-server", aloneAs: .systemServer, runDirectory: values["run-dir"], settings: values.all("set"))
    var core = SystemServerCore(settings: process.settings, order: process.order)
    return process.host.run(&core)
}

exit(runSystemServer())
