import Testing

@testable import ZeroMQHost

@Suite("Command lines of the processes")
struct ProgramOptionsTests {
    private let options = ProgramOptions(
        "input-kit",
        abstract: "Reads touch devices and recordings, and makes HID events for the system server's router.",
        discussion: "One paragraph.\n\nAnother.",
        [
            .runDirectory, ProgramOption("play", "file", "A recording or finger script to play without a supervisor."),
            .setting,
        ])

    @Test("an option takes the next argument or the text after an equals sign")
    func values() throws {
        let values = try options.parse([
            "--set", "a=1", "--run-dir=/tmp/x=y", "--set=b=2", "--play", "-", "--run-dir", "",
        ])
        #expect(values.all("set") == ["a=1", "b=2"])
        #expect(values["play"] == "-")
        // The last value of an option holds.
        #expect(values["run-dir"] == "")
        #expect(try options.parse([])["run-dir"] == nil)
    }

    @Test(
        "an argument that cannot be used is named with the usage",
        arguments: [
            (["--bogus"], "Error: Unknown option '--bogus'\n"),
            (["--pley=x"], "Error: Unknown option '--pley'. Did you mean '--play'?\n"),
            (["-play", "x"], "Error: Unknown option '-play'. Did you mean '--play'?\n"),
            (["--play", "x", "extra"], "Error: Unexpected argument 'extra'\n"),
            (["-"], "Error: Unexpected argument '-'\n"),
            (
                ["--set"],
                "Error: Missing value for '--set <key=value>'\nHelp:  --set <key=value>  Change one key of the configuration; may be repeated.\n"
            ),
            (
                ["--play", "--set", "a=1"],
                "Error: Missing value for '--play <file>'\nHelp:  --play <file>  A recording or finger script to play without a supervisor.\n"
            ),
        ])
    func errors(arguments: [String], error: String) {
        let usage = """
            Usage: input-kit [--run-dir <folder>] [--play <file>] [--set <key=value> ...]
              See 'input-kit --help' for more information.
            """
        #expect(throws: CommandLineEnd.error(error + usage)) { try options.parse(arguments) }
    }

    @Test("--help describes each option in lines of at most 80 characters", arguments: ["--help", "-h"])
    func help(argument: String) {
        let text = """
            OVERVIEW: Reads touch devices and recordings, and makes HID events for the
            system server's router.

            One paragraph.

            Another.

            USAGE: input-kit [--run-dir <folder>] [--play <file>] [--set <key=value> ...]

            OPTIONS:
              --run-dir <folder>      Run without a supervisor, in this folder.
              --play <file>           A recording or finger script to play without a
                                      supervisor.
              --set <key=value>       Change one key of the configuration; may be repeated.
              -h, --help              Show help information.

            """
        #expect(throws: CommandLineEnd.help(text)) { try options.parse(["--run-dir", "x", argument]) }
    }
}
