// main.swift: the `touchline` command. Each command has a folder; shared code is beside this file.
//
// Exit codes of every command:
//     0  done, and the answer is yes
//     1  the answer is no: a process is not ready, a touch was lost, a scenario failed
//     2  an option or a file cannot be used; one line gives the position, the expected and the found value
//     3  no group is running, a group is running already, or the machine refused a resource
//
// An error is one line on stderr, with two lines about usage for a command line that cannot be parsed. It is never a stack
// trace.

import ArgumentParser
import Glibc
import ZeroMQHost

/// The command `touchline`.
struct Touchline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touchline",
        abstract: "Run the path of an iOS touch as real processes: input-kit, system-server and apps.",
        discussion: """
            A group is one supervisor with its processes. `touchline up` starts a group, `touchline input` touches it, \
            `touchline status` and `touchline dump` show its state, and Ctrl-C or `touchline down` ends it. \
            `touchline demo` does all of this with one recording.

            EXIT CODES
              0  done, and the answer is yes
              1  the answer is no: a touch was lost, a scenario failed
              2  an option or a file cannot be used
              3  no group runs, a group already runs, or a resource is refused
            """,
        version: Version.text,
        subcommands: [
            HostileControllerCommand.self, RecordCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Run a group",
                subcommands: [
                    Demo.self, Up.self, Status.self, Dump.self, InputCommand.self, OpenCommand.self, Replay.self,
                    MonitorCommand.self, TopCommand.self, MetricsCommand.self, InspectCommand.self, Down.self,
                    Keys.self,
                ]),
            CommandGroup(
                name: "Look at the screen",
                subcommands: [
                    TreeCommand.self, ScreenshotCommand.self, LintCommand.self,
                ]),
            CommandGroup(
                name: "Test against iOS", subcommands: [Conform.self, TraceCommand.self, PortReportCommand.self]),
            CommandGroup(
                name: "Explain a run",
                subcommands: [
                    ExplainCommand.self, ReportCommand.self, AuditCommand.self, CompareCommand.self, ExportCommand.self,
                    PlotCommand.self,
                ]),
            CommandGroup(
                name: "Devices and recordings",
                subcommands: [DevicesCommand.self, Record.self, Decode.self, Convert.self]),
            CommandGroup(
                name: "Search for errors",
                subcommands: [
                    Simulate.self, MonkeyCommand.self, Exhaust.self, CampaignCommand.self, ChaosCommand.self,
                    Soak.self,
                ]),
            CommandGroup(name: "Measure", subcommands: [Bench.self]),
        ])
}

/// Exits with this code, or with 3 if stdout could not be written: a reader of a file must notice that it is
/// incomplete.
func end(_ code: Int32) -> Never {
    guard let failure = Output.failure else { exit(code) }
    printError("\(ResultOptions.target): \(String(cString: strerror(failure)))")
    exit(3)
}

setUpStandardStreams()
do {
    var command = try Touchline.parseAsRoot(joiningRange(Array(CommandLine.arguments.dropFirst())))
    if let command = command as? any CommandWithResult { try command.result.redirectOutput() }
    try command.run()
    end(0)
} catch let failure as Failure {
    printError(failure)
    end(failure.code)
} catch let error as HostError {
    printError("\(error)")
    end(3)
} catch {
    // ArgumentParser throws requested help, or an error of the command line.
    let message = Touchline.fullMessage(for: error)
    if Touchline.exitCode(for: error).isSuccess {
        // ArgumentParser prints `RUN A GROUP SUBCOMMANDS:`.
        printText(message.replacing(" SUBCOMMANDS:\n", with: ":\n"))
        end(0)
    }
    if let code = error as? ExitCode { end(code.rawValue) }
    Output.printErrorText(commandLineText(message))
    end(2)
}
