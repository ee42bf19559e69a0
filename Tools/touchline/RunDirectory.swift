import ArgumentParser
import Basics
import Glibc
import Wire
import ZeroMQHost

/// Which group is meant: its sockets, its pid file and its traces live in this folder.
struct RunDirectory: ParsableArguments {
    @Option(
        name: .customLong("run-dir"),
        help: ArgumentHelp(
            "The group's folder, mode 0700 (default: $XDG_RUNTIME_DIR/touchline, else /tmp/touchline-<uid>).",
            valueName: "folder"))
    var given: String?

    func validate() throws {
        if given == "" { throw ValidationError("--run-dir: expected a folder, found nothing") }
    }

    /// Absolute.
    var path: String {
        if let given { return absolute(given) }
        if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/"),
            access(runtime, W_OK | X_OK) == 0
        {
            return "\(runtime)/touchline"
        }
        return "/tmp/touchline-\(getuid())"
    }

    /// A conversation with the group there is.
    func connect() throws -> ControlClient {
        do throws(HostError) {
            return try ControlClient(runDirectory: path)
        } catch {
            throw Failure.group(error)
        }
    }
}

/// A path as it is meant where the command was typed; processes of the group may stand elsewhere.
func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
}

/// CLOCK_MONOTONIC, which every process of the group counts by.
func monotonicNow() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

extension ControlClient {
    func ask(_ message: Message) throws {
        do throws(HostError) { try send(message) } catch { throw Failure.group(error) }
    }

    func next(timeout: Duration) throws -> Message? {
        do throws(HostError) { return try receive(timeout: timeout) } catch { throw Failure.group(error) }
    }
}
