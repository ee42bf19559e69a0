// InspectDesk.swift: what the jobs of one inspector share: the play in progress, slow processes, work in other processes.
//
// Input     InspectServer, which makes one
// Output    jobs
// Knows     nothing of a request

import Basics
import Foundation
import Page
import Recordings
import Synchronization
import Wire

/// What jobs share.
final class InspectDesk: Sendable {
    let player = InspectPlayer()
    let slowProcesses = SlowProcesses()
    let work = InspectWork()
    let library = InspectLibrary()
}

extension InspectContext {
    /// Throws unless this command started the group.
    func expectOwnGroup() throws {
        guard group.isOwn else {
            throw InspectError(409, "the group was started by another command, which alone may change it")
        }
    }

    /// The report of the group as it is now.
    ///
    /// - Throws: `InspectError` with status 503 while the group is down.
    func report() throws -> GroupReport {
        do { return try GroupReport(from: try connect()) } catch let failure as Failure {
            throw InspectError(503, failure.line)
        }
    }
}

extension JSONNode {
    /// A text member that must be there.
    func expectText(_ key: String, _ expected: String) throws -> String {
        if let text = text(key) { return text }
        throw InspectError(400, "\(key): expected \(expected), found \(self[key]?.text ?? "nothing")")
    }

    /// A number member that must be there.
    func expectNumber(_ key: String) throws -> Double {
        if let number = number(key), number.isFinite { return number }
        throw InspectError(400, "\(key): expected a number, found \(self[key]?.text ?? "nothing")")
    }
}
