import Configuration
import Faults
import Foundation
import Testbed
import Testing

@Suite("The standard faults")
struct StandardFaultsTests {
    @Test("Config/Faults/standard.yaml equals the built-in profile")
    func standard() throws {
        let file = Repository.root.appending(path: "Config/Faults/standard.yaml")
        #expect(try FaultProfile(contentsOf: file.path) == .standard)
    }
}
