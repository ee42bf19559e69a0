// main.swift: the `touchline` command. Each verb has a folder; shared code is beside this file.
//
// Exit codes of every verb:
//     0  done, and the answer is yes
//     1  the answer is no: not every process is ready, touches were lost, a scenario failed
//     2  an option or a file cannot be used; one line gives the place, the expected and the found value
//     3  the group: none is running, one already is, or the machine refused a resource
//
// Every error is one line on stderr, never a stack trace.

import ArgumentParser
import Glibc
import ZeroMQHost

/// The command `touchline`.
struct Touchline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touchline",
        abstract: "The way of a touch through input-kit, system-server and app, as real processes.",
        discussion: """
            Start a group with `touchline up`, play a recording into it with `touchline replay FILE`, look at it with \
            `touchline status` and `touchline dump`, end it with Ctrl-C or `touchline down`.

            EXIT CODES
              0  done, and the answer is yes
              1  the answer is no: not ready, touches lost, a scenario failed
              2  what was given cannot be used
              3  no group is running, one already is, or the machine refused what it needs
            """,
        subcommands: [
            Up.self, Down.self, Status.self, Dump.self, Replay.self, AuditCommand.self, CompareCommand.self,
            Conform.self, TraceCommand.self,
            Bench.self, InputCommand.self, OpenCommand.self, DevicesCommand.self, Record.self, Simulate.self,
            ChaosCommand.self,
            Soak.self, Exhaust.self,
            MonkeyCommand.self, Decode.self, Convert.self, TryInBrowser.self, Demo.self, Keys.self, SpyCommand.self,
            HostileControllerCommand.self,
        ])
}

/// Exits with this code, or with 3 if stdout could not be written: a reader of a file must notice that it is
/// incomplete.
func end(_ code: Int32) -> Never {
    guard let failure = Output.failure else { exit(code) }
    printError("stdout: \(String(cString: strerror(failure)))")
    exit(3)
}

setUpStandardStreams()
do {
    var command = try Touchline.parseAsRoot(joiningRange(Array(CommandLine.arguments.dropFirst())))
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
        printText(message)
        end(0)
    }
    if let code = error as? ExitCode { end(code.rawValue) }
    Output.printErrorText(commandLineText(message))
    end(2)
}
