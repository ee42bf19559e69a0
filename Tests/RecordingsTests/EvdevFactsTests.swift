import HID
import Recordings
import Testing

@Suite("Facts of an evdev device in evemu's format")
struct EvdevFactsTests {

    @Test("an evemu description without events gives a device's facts")
    func description() throws {
        let text = """
            # EVEMU 1.3
            N: Panel
            I: 0003 1234 abcd 0110
            P: 02 00
            B: 03 00 00
            B: 03 01
            A: 35 0 4095 1 2 12
            A: 36 none
            what a person left here
            E: 0.000000 0003 0035 100
            """
        let facts = try #require(EvdevFacts(evemu: Array(text.utf8)))
        #expect(
            facts.identity == DeviceIdentity(name: "Panel", bus: 3, vendor: 0x1234, product: 0xABCD, version: 0x110))
        #expect(facts.properties == [2, 0] && facts.codes == [EvdevFacts.Codes(type: 3, bits: [0, 0, 1])])
        #expect(
            facts.axes == [
                EvdevFacts.Axis(
                    code: 0x35, value: 0, axis: DeviceAxis(minimum: 0, maximum: 4095, resolution: 12, fuzz: 1, flat: 2))
            ])
    }
}
