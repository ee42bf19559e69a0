// TerminalScreen.swift: the alternate screen of a terminal, with keys that arrive without Enter.
//
//     begin ─▶ draw, next event … ─▶ end; also by SIGINT, SIGTERM, SIGHUP, SIGQUIT and while SIGTSTP stops the process
//
// Input     TopCommand: lines; the terminal: keys, its size
// Output    the terminal, which is as before at the end
// Knows     termios and signals. TopLayout makes the lines.
//
// Sources   documented  termios(3), signal-safety(7), tty_ioctl(4): TIOCGWINSZ

import Basics
import CSystem
import Glibc
import ZeroMQHost

/// The screen of this process. There is one at a time.
struct TerminalScreen: ~Copyable {
    /// What happens before the next sample is due.
    enum Event: Equatable {
        case key(TopKey)
        /// The terminal has another size, or shows the process again after it was stopped.
        case resized
        case due
    }

    // Signal handlers read these, so they are plain values.
    /// The settings of stdin before the screen; valid if `hasKeys`.
    nonisolated(unsafe) private static var savedSettings = termios()
    nonisolated(unsafe) private static var hasKeys = false
    nonisolated(unsafe) private static var isShown = false
    nonisolated(unsafe) private static var needsDrawing = false

    private let hasColors: Bool
    private var keys: [TopKey] = []

    /// Whether stdout is a terminal that can be drawn on.
    static var isPossible: Bool {
        guard isatty(STDOUT_FILENO) == 1, let type = environmentValue("TERM") else { return false }
        return type != "dumb"
    }

    private static func environmentValue(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    init() {
        hasColors = Self.environmentValue("NO_COLOR") == nil
        Self.hasKeys = tcgetattr(STDIN_FILENO, &Self.savedSettings) == 0
        Self.show()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { _ in
                TerminalScreen.restore()
                _exit(0)
            }
        }
        signal(SIGTSTP) { _ in
            TerminalScreen.restore()
            // This handler continues after SIGCONT.
            kill(getpid(), SIGSTOP)
            TerminalScreen.show()
            TerminalScreen.needsDrawing = true
        }
        signal(SIGWINCH) { _ in TerminalScreen.needsDrawing = true }
    }

    deinit {
        for number in [SIGTSTP, SIGWINCH] { signal(number, SIG_IGN) }
        Self.restore()
    }

    private static func show() {
        isShown = true
        if hasKeys {
            var settings = savedSettings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        }
        Output.enterScreen()
    }

    /// Gives the terminal back. A signal handler may call it.
    private static func restore() {
        guard isShown else { return }
        isShown = false
        Output.leaveScreen()
        if hasKeys { _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &savedSettings) }
    }

    /// The columns and rows; 80 × 24 for a terminal that reports none.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard system_ioctl(STDOUT_FILENO, UInt32(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func draw(_ lines: [StyledLine]) { Output.drawScreen(lines, hasColors: hasColors) }

    /// Waits for a key, a new size or `moment`.
    mutating func nextEvent(until moment: Instant) -> Event {
        while true {
            if !keys.isEmpty { return .key(keys.removeFirst()) }
            if Self.needsDrawing {
                Self.needsDrawing = false
                return .resized
            }
            let left = monotonicNow().duration(to: moment).nanoseconds
            guard left > 0 else { return .due }
            var input = pollfd(fd: Self.hasKeys ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, Int32(clamping: left / 1_000_000 + 1)) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 { keys = TopKey.keys(in: bytes[..<count]) } else if count == 0 { Self.hasKeys = false }
        }
    }
}

/// A key of `touchline top`.
enum TopKey: Equatable {
    case quit, pause, nextOrder, previousOrder

    /// The keys in what a terminal sends at once. Other keys are left out.
    static func keys(in bytes: some Sequence<UInt8>) -> [TopKey] {
        var keys: [TopKey] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): keys.append(.quit)
            case UInt8(ascii: "p"), UInt8(ascii: "P"), UInt8(ascii: " "): keys.append(.pause)
            case UInt8(ascii: "s"): keys.append(.nextOrder)
            case UInt8(ascii: "S"): keys.append(.previousOrder)
            case 0x1B:
                // CSI or SS3, parameters, and a final byte.
                guard let kind = rest.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { continue }
                rest = rest.dropFirst()
                while let parameter = rest.first, parameter < 0x40 { rest = rest.dropFirst() }
                switch rest.popFirst() {
                case UInt8(ascii: "C"), UInt8(ascii: "B"): keys.append(.nextOrder)
                case UInt8(ascii: "D"), UInt8(ascii: "A"): keys.append(.previousOrder)
                default: continue
                }
            default: continue
            }
        }
        return keys
    }
}
