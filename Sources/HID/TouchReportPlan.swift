// TouchReportPlan.swift: the layout of a touch report in the form that is fastest to read.
//
// Station   device
// Input     TouchReportDecoder, once per layout
// Output    values of a report's fields, for ContactTracker
// Knows     bit offsets. No state of contacts.
//
// Sources   documented  HID 1.11, 6.2.2: fields are little-endian and not aligned

import Basics

/// `ReportBits` in eight bytes.
struct BitPlan: Sendable {
    var offset: UInt32 = 0
    /// 0 if the report does not have the field.
    var size: UInt8 = 0
    var isSigned = false

    init(_ bits: ReportBits?) {
        guard let bits else { return }
        (offset, size, isSigned) = (UInt32(bits.offset), UInt8(bits.size), bits.isSigned)
    }

    var isAbsent: Bool { size == 0 }

    /// Whether the report has the field, complete within its first `bits` bits.
    func isIn(_ bits: Int) -> Bool { size > 0 && Int(offset) + Int(size) <= bits }

    /// - Parameter bytes: The report, at least up to the field's end.
    @inline(__always)
    func value(in bytes: Span<UInt8>) -> Int64 {
        let start = Int(offset >> 3)
        var word: UInt64 = 0
        if start + 8 <= bytes.count {
            word = UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        } else {
            for index in stride(from: bytes.count - 1, through: start, by: -1) {
                word = word << 8 | UInt64(bytes[index])
            }
        }
        let unused = UInt64(64 - size)
        word = (word >> UInt64(offset & 7)) << unused
        return isSigned ? Int64(bitPattern: word) >> Int64(unused) : Int64(bitPattern: word >> unused)
    }

    @inline(__always)
    func coordinate(in bytes: Span<UInt8>) -> Int32 { Int32(clamping: value(in: bytes)) }
}

/// The positions of one contact's fields in a report.
struct SlotPlan: Sendable {
    var tip, x, y, id, confidence: BitPlan
    var fields: ReportFieldPlans
    var end: Int

    init(_ slot: ContactSlot) {
        (tip, x, y) = (BitPlan(slot.tip), BitPlan(slot.x), BitPlan(slot.y))
        (id, confidence) = (BitPlan(slot.id), BitPlan(slot.confidence))
        fields = ReportFieldPlans(slot.fields)
        end = slot.end
    }

    func isConfident(in report: Span<UInt8>, of bits: Int) -> Bool {
        confidence.isIn(bits) && confidence.value(in: report) != 0
    }
}

/// The positions of one report's parts.
struct ReportPlan: Sendable {
    var id: UInt8
    var application: Int
    var bytes: Int
    var slots: Range<Int>
    var contactCount, scanTime: BitPlan
    /// In nanoseconds.
    var scanTick: Int64
    var scanModulus: Int64
    /// Half of the time in which the clock wraps.
    var halfRound: Duration

    init(_ layout: TouchReportLayout, slots: Range<Int>) {
        (id, application, bytes) = (layout.reportID ?? 0, layout.applicationIndex, layout.reportBytes)
        self.slots = slots
        (contactCount, scanTime) = (BitPlan(layout.contactCount), BitPlan(layout.scanTime))
        (scanTick, scanModulus) = (layout.scanTick, layout.scanModulus)
        halfRound = .nanoseconds(scanTick * scanModulus / 2)
    }

    /// The rounds of the device's clock that passed unseen during a wait: the number that comes nearest to the wait.
    ///
    /// - Parameter passed: The part of the wait that the clock shows, in nanoseconds.
    /// - Returns: Nanoseconds, below 2⁶³ together with `passed`.
    func roundsMissed(in wait: Duration, beside passed: Int64) -> Int64 {
        let round = scanTick * scanModulus
        // The wait is limited to a century and a half.
        let missing = min(wait.nanoseconds, .max / 2) - passed
        return missing < round / 2 ? 0 : ((missing - round / 2) / round + 1) * round
    }
}
