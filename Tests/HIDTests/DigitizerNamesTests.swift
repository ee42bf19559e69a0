import HID
import Testing

@Suite("Names of HID masks and options")
struct DigitizerNamesTests {

    @Test("a mask is printed as IOKit's names, unknown bits as hexadecimal")
    func masks() {
        let mask: DigitizerEventMask = [.cancel, .touch, .range, .identity]
        #expect("\(mask)" == "range|touch|identity|cancel")
        #expect(mask.names == ["range", "touch", "identity", "cancel"])
        #expect("\(DigitizerEventMask(rawValue: 1 << 30 | 1 << 16 | 1 << 6))" == "attribute|estimatedPressure|0x10000")
        #expect("\(DigitizerEventMask())" == "none")
    }

    @Test("options are printed as IOKit's names, unknown bits as hexadecimal")
    func options() {
        #expect("\([.touch, .isAbsolute, .range] as DigitizerOptions)" == "absolute|range|touch")
        #expect("\(DigitizerOptions(rawValue: 1 << 31 | 1 << 1))" == "collection|0x80000000")
        #expect("\(DigitizerOptions())" == "none")
    }

    @Test("each bit of a mask has a name of its own")
    func distinct() {
        let names = (0..<32).map { "\(DigitizerEventMask(rawValue: 1 << $0))" }
        #expect(Set(names).count == 32)
        #expect(
            names.filter { $0.hasPrefix("0x") } == [
                "0x10000", "0x80000", "0x100000", "0x200000", "0x400000", "0x800000", "0x80000000",
            ])
    }
}
