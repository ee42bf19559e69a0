// DigitizerNames.swift: the bits of masks and options of digitizer events, by name.
//
//     0x23 ─▶ range|touch|identity
//
// Station   hid
// Input     facts about scans, `touchline decode --as iohid`
// Output    text
//
// Sources   documented  IOHIDEventTypes.h: kIOHIDDigitizerEvent…, kIOHIDEventOption…, kIOHIDTransducer…

extension DigitizerEventMask: CustomStringConvertible {
    private static let known: [(bit: DigitizerEventMask, name: String)] = [
        (.range, "range"), (.touch, "touch"), (.position, "position"), (.stop, "stop"), (.peak, "peak"),
        (.identity, "identity"), (.attribute, "attribute"), (.cancel, "cancel"), (.start, "start"),
        (.resting, "resting"), (.fromEdgeFlat, "fromEdgeFlat"), (.fromEdgeTip, "fromEdgeTip"),
        (.fromCorner, "fromCorner"), (.swipePending, "swipePending"),
        (.fromEdgeForcePending, "fromEdgeForcePending"), (.fromEdgeForceActive, "fromEdgeForceActive"),
        (.tap, "tap"), (.swipeLocked, "swipeLocked"), (.swipeUp, "swipeUp"), (.swipeDown, "swipeDown"),
        (.swipeLeft, "swipeLeft"), (.swipeRight, "swipeRight"), (.estimatedAltitude, "estimatedAltitude"),
        (.estimatedAzimuth, "estimatedAzimuth"), (.estimatedPressure, "estimatedPressure"),
    ]

    /// The names of the set bits, from the lowest; then the bits without a name, as one hexadecimal number.
    public var names: [String] { bitNames(of: self, among: Self.known) }

    /// `range|touch|position`; `none` without any bit.
    public var description: String { joined(names) }
}

extension DigitizerOptions: CustomStringConvertible {
    private static let known: [(bit: DigitizerOptions, name: String)] = [
        (.isAbsolute, "absolute"), (.isCollection, "collection"), (.isPixelUnits, "pixelUnits"),
        (.isCenterOrigin, "centerOrigin"), (.isBuiltIn, "builtIn"), (.interpolated, "interpolated"),
        (.injected, "injected"), (.continuousTime, "continuousTime"), (.range, "range"), (.touch, "touch"),
        (.invert, "invert"), (.displayIntegrated, "displayIntegrated"),
    ]

    /// The names of the set bits, from the lowest; then the bits without a name, as one hexadecimal number.
    public var names: [String] { bitNames(of: self, among: Self.known) }

    /// `absolute|range|touch`; `none` without any bit.
    public var description: String { joined(names) }
}

private func joined(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: "|") }

private func bitNames<Bits: OptionSet>(of bits: Bits, among known: [(bit: Bits, name: String)]) -> [String]
where Bits.Element == Bits, Bits.RawValue: FixedWidthInteger {
    let rest = known.reduce(bits) { $0.subtracting($1.bit) }
    return known.filter { bits.contains($0.bit) }.map(\.name)
        + (rest.isEmpty ? [] : ["0x" + String(rest.rawValue, radix: 16)])
}
