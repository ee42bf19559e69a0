// DisplayOption.swift: --display, the display of a command's fingers.

public import ArgumentParser
public import Basics
import Hosting
import Wire

/// The option --display.
struct DisplayOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The display of the fingers: 1 is the main display, the topology numbers others from 2.",
            valueName: "number"))
    var display = DisplayID.main

    func validate() throws {
        guard (.main ... .last).contains(display) else {
            throw ValidationError("--display: expected 1 to \(DisplayID.last), found \(display)")
        }
    }

    /// The size of the display in the group; nil when its server does not report it.
    ///
    /// - Throws: `Failure` with exit code 2 when the group has no such display.
    func screen(of group: GroupReport) throws -> Rect<ScreenSpace>? {
        let screen = group.screen(of: display)
        guard screen != nil || display == .main || group.screen == nil else {
            throw Failure.badInput(
                "--display \(display): expected a display of the group (`displays:` of its topology), found none; "
                    + "`touchline status` lists the displays")
        }
        return screen
    }
}

extension DisplayID: ExpressibleByArgument {
    public init?(argument: String) {
        guard let number = UInt8(argument) else { return nil }
        self.init(number)
    }
}
