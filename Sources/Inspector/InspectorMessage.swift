// InspectorMessage.swift: the messages of the server to a page, as JSON.
//
//     moments   nanoseconds since the zero of hello
//
// Input     the server's connections
// Output    JSONText, as Docs/Internals/Inspector.md lists it
// Knows     the fields. No socket.
//
// Sources   invented

package import Basics
package import Explain
package import Page
package import Runs
package import Trace
import Wire

/// Messages to a page.
package enum InspectorMessage {
    package static let version = 1

    /// The first message of a connection, and the first after a reset.
    package static func hello(
        browser: Int, name: String, language: Language, width: Double, height: Double, apps: [String], isOwn: Bool,
        zero: Instant, at now: Instant
    ) -> JSONText {
        let limits = BrowserSession.messageLimits
        return .object([
            ("t", .string("hello")), ("version", .int(version)), ("browser", .int(browser)),
            ("name", .string(name)), ("language", .string(language.rawValue)),
            ("screen", .array([.decimal(width), .decimal(height)])), ("apps", .strings(apps)), ("isOwn", .bool(isOwn)),
            ("zero", .number(zero.nanoseconds)), ("at", .number(zero.duration(to: now).nanoseconds)),
            (
                "rates",
                .object([
                    ("messages", .decimal(limits.rate)), ("burst", .decimal(limits.burst)),
                    ("silence", .number(BrowserSession.silenceLimit.nanoseconds)),
                    ("contacts", .int(TouchPanel.slotCount)),
                ])
            ),
        ])
    }

    /// A picture: what has changed on the screens of apps.
    package static func picture(
        _ number: UInt64, _ changes: [ScreenChange], isWhole: Bool, at moment: Instant, since zero: Instant
    ) -> JSONText {
        .object([
            ("t", .string("picture")), ("n", .int(number)), ("at", .number(zero.duration(to: moment).nanoseconds)),
            ("whole", .bool(isWhole)),
            (
                "screens",
                .array(changes.map { RunRecord.json($0, of: .string("app\($0.app.rawValue)"), since: zero) })
            ),
        ])
    }

    /// The window of the run so far.
    package static func record(_ record: RunRecord, in language: Language) -> JSONText {
        .object([("t", .string("record")), ("run", record.json(in: language))])
    }

    /// New facts, for the log.
    ///
    /// - Parameters:
    ///   - facts: The new facts, in order.
    ///   - missing: The facts that were left out before these.
    ///   - zero: The moment from which times count.
    package static func facts(_ facts: [ResolvedFact], missing: Int, since zero: Instant) -> JSONText {
        var processes: [String] = []
        for fact in facts where !processes.contains(fact.process) { processes.append(fact.process) }
        return .object(
            [
                ("t", .string("facts")), ("processes", .strings(processes)),
                ("stations", .strings(Station.allCases.map(\.rawValue))), ("missing", .int(missing)),
            ] + RunRecord.columns(of: facts, processes: processes, since: zero))
    }

    /// The time of this machine, for the page's offset.
    package static func clock(_ number: Int64, at: Double, host: Instant) -> JSONText {
        .object([
            ("t", .string("clock")), ("n", .int(number)), ("at", .decimal(at)), ("host", .number(host.nanoseconds)),
        ])
    }

    /// Another group has started.
    package static func reset(_ why: String) -> JSONText {
        .object([("t", .string("reset")), ("why", .string(why))])
    }

    /// The fingers of other browsers, in points.
    package static func fingers(_ others: [(x: Double, y: Double)]) -> JSONText {
        .object([
            ("t", .string("fingers")), ("others", .array(others.map { .array([.decimal($0.x), .decimal($0.y)]) })),
        ])
    }

    package static func error(_ message: String) -> JSONText {
        .object([("t", .string("error")), ("message", .string(message))])
    }
}
