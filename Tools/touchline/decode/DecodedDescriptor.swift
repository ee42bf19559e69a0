// DecodedDescriptor.swift: the reports with touches in a HID report descriptor, for a person or a program (Docs/Spec/Input.md section 2).

import Basics
import Foundation
import HID

/// A decoded descriptor file.
struct DecodedDescriptor {
    /// The path as typed.
    var file: String
    var descriptor: ReportDescriptor
    var layouts: TouchReportLayouts

    /// - Throws: `Failure` with exit code 2 for an unreadable file, or one that is no descriptor from its first byte
    ///   on.
    init(contentsOf file: String) throws {
        self.file = file
        let source = try ByteSource(file)
        var bytes: [UInt8] = []
        while case let piece = try source.next(), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= ReportDescriptor.byteLimit else {
                throw Failure.badInput(
                    "\(source.name): expected a report descriptor of at most \(ReportDescriptor.byteLimit) bytes, found more"
                )
            }
        }
        guard !bytes.isEmpty else {
            throw Failure.badInput("\(source.name): expected a report descriptor, found an empty file")
        }
        descriptor = ReportDescriptor(asFarAsReadable: bytes)
        layouts = TouchReportLayouts(of: descriptor)
    }

    /// The fault after the decoded part; nil without one.
    var fault: String? { descriptor.fault.map { "\(file): \($0)" } }

    /// Nil when there are reports with touches.
    var whyNoTouches: String? {
        layouts.reports.isEmpty ? "no touch reports: the descriptor has \(descriptor.contents)" : nil
    }

    var text: [String] {
        var lines = ["\(file): HID report descriptor"]
        for report in layouts.reports {
            let id = report.reportID.map { "report \($0)" } ?? "the only report"
            let contacts = report.contactsPerReport == 1 ? "1 contact" : "\(report.contactsPerReport) contacts"
            let extras = [
                report.hasContactCount ? "a contact count" : nil, report.hasScanTime ? "a scan time" : nil,
            ].compactMap { $0 }.joined(separator: " and ")
            lines.append(
                "  \(id): \(report.application.rawValue), \(report.reportBytes) bytes, \(contacts)"
                    + (extras.isEmpty ? "" : ", \(extras)"))
            lines.append(
                "    x \(report.logicalX.minimum) to \(report.logicalX.maximum), "
                    + "y \(report.logicalY.minimum) to \(report.logicalY.maximum), "
                    + "of each contact: \(report.usages.joined(separator: " "))")
        }
        if let most = layouts.contactCountMax { lines.append("  at most \(most) contacts") }
        if let whyNoTouches { lines.append("  \(whyNoTouches)") }
        return lines
    }

    var json: [String: Any] {
        let reports = layouts.reports.map { report -> [String: Any] in
            [
                "reportID": report.reportID.map { Int($0) } ?? NSNull(), "reportBytes": report.reportBytes,
                "application": report.application.rawValue, "contactsPerReport": report.contactsPerReport,
                "usages": report.usages, "hasContactCount": report.hasContactCount, "hasScanTime": report.hasScanTime,
                "x": [Int(report.logicalX.minimum), Int(report.logicalX.maximum)],
                "y": [Int(report.logicalY.minimum), Int(report.logicalY.maximum)],
            ]
        }
        return ["touchReports": reports, "contactCountMax": layouts.contactCountMax ?? NSNull()]
    }
}
