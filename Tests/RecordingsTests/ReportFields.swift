import HID

/// The E lines of a hid-recorder text, each changed by a closure.
func rewritingReports(
    of text: [UInt8], _ change: (_ microseconds: inout Int64, _ report: inout [UInt8]) -> Void
) -> [UInt8] {
    var out: [UInt8] = []
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
        if !out.isEmpty { out.append(0x0A) }
        guard line.starts(with: "E: ".utf8) else {
            out += line
            continue
        }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\r" })
        let parts = words[1].split(separator: ".")
        var time = (Int64(parts[0]) ?? 0) * 1_000_000 + (Int64(parts[1]) ?? 0)
        var report = words.dropFirst(3).compactMap { UInt8($0, radix: 16) }
        change(&time, &report)
        let fraction = String(time % 1_000_000)
        let stamp = "\(time / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
        let hex = report.map { String($0, radix: 16) }.joined(separator: " ")
        out += Array("E: \(stamp) \(report.count) \(hex)".utf8)
    }
    return out
}

/// The bits of one value of a report; they can be read and written.
struct ReportField {
    /// The offset counts from the report's first bit, including its id.
    var offset, size: Int

    func value(in report: [UInt8]) -> Int64 {
        (0..<size).reduce(0) { value, bit in
            let index = offset + bit
            return value | Int64(report[index / 8] >> UInt8(index % 8) & 1) << Int64(bit)
        }
    }

    func write(_ value: Int64, to report: inout [UInt8]) {
        for bit in 0..<size {
            let index = offset + bit
            let mask = UInt8(1) << UInt8(index % 8)
            if value >> Int64(bit) & 1 == 1 { report[index / 8] |= mask } else { report[index / 8] &= ~mask }
        }
    }
}

/// The contacts of a touch report, each as its own fields, and the fields that count and time them.
struct ReportContacts {
    var id: UInt8?
    var contacts: [[ReportField]] = []
    var xs: [ReportField] = []
    var ys: [ReportField] = []
    var count: ReportField?
    var scanTime: ReportField?

    /// Finds the contacts without `TouchReportLayouts`: in real descriptors a contact begins where its tip or its id is
    /// repeated.
    init(_ descriptor: ReportDescriptor, reportID: UInt8?) {
        id = reportID
        var seen: [HIDUsage] = []
        for field in descriptor.fields where field.kind == .input && field.reportID == reportID {
            for index in 0..<min(field.count, 64) {
                guard let usage = field.usage(at: index), !field.flags.contains(.constant) else { break }
                let bits = ReportField(
                    offset: (descriptor.hasReportIDs ? 8 : 0) + field.bitOffset + index * field.bitSize,
                    size: field.bitSize)
                switch (usage.page, usage.usage) {
                case (0x0D, 0x54): count = bits
                case (0x0D, 0x56): scanTime = bits
                case (0x01, 0x30), (0x01, 0x31), (0x0D, 0x30...0x33), (0x0D, 0x3D...0x3F), (0x0D, 0x42),
                    (0x0D, 0x47...0x49), (0x0D, 0x51):
                    let isFirst = usage.usage == 0x42 || usage.usage == 0x51
                    if contacts.isEmpty || isFirst && seen.contains(usage) {
                        contacts.append([])
                        seen = []
                    }
                    seen.append(usage)
                    contacts[contacts.count - 1].append(bits)
                    if usage == HIDUsage(page: 1, usage: 0x30) { xs.append(bits) }
                    if usage == HIDUsage(page: 1, usage: 0x31) { ys.append(bits) }
                default: break
                }
            }
        }
    }

    /// Reverses the order of the first contacts.
    func reverse(first: Int, in report: inout [UInt8]) {
        let before = report
        for index in 0..<first {
            for (from, to) in zip(contacts[first - 1 - index], contacts[index]) {
                to.write(from.value(in: before), to: &report)
            }
        }
    }
}
