import Basics
import Foundation
import Glibc
import Testing
import Wire

@testable import ZeroMQHost

/// The address of a server: its text, the order of its addresses, lookups, and the lines about them.
@Suite("Addresses of a server on another machine") struct ServerAddressTests {
    // MARK: Text

    @Test(
        "names and numeric addresses are read and written alike",
        arguments: [
            "house.lan:7000", "house:1", "a_b-c.example.:65535", "10.0.0.1:7000", "[fd00::1]:7000", "[::1]:7000",
            "1st.lan:7000",
        ])
    func parsed(text: String) throws { #expect("\(try ServerAddress(text))" == text) }

    @Test("numeric addresses need no lookup")
    func kinds() throws {
        #expect(try ServerAddress("10.0.0.1:7000") == .numeric(#require(TCPAddress("10.0.0.1:7000"))))
        #expect(try ServerAddress("house:7000") == .named("house", port: 7000))
    }

    @Test(
        "a refused address names measure and limit",
        arguments: [
            ("house", "it has no port"), (":7000", "it has no host"),
            ("house:", "its port is empty, and 1 to 65535 exist"),
            ("house:70000", "its port is 70000, and 1 to 65535 exist"),
            ("house:0", "its port is 0, and 1 to 65535 exist"),
            ("house:07", "its port is 07, and 1 to 65535 exist"),
            ("::1:7000", "an IPv6 address stands in brackets, without a zone"),
            ("10.0.0.256:7000", "10.0.0.256 is neither a name nor four numbers from 0 to 255"),
            ("10.1:7000", "10.1 is neither a name nor four numbers from 0 to 255"),
            ("a..b:7000", "a part of its name is empty"),
            ("a b:7000", "a part of its name is a b: letters, digits and inner hyphens are allowed"),
            ("-a:7000", "a part of its name is -a: letters, digits and inner hyphens are allowed"),
            (String(repeating: "x", count: 64) + ":7000", "a part of its name has 64 bytes, limit 63"),
            (String(repeating: "x.", count: 127) + ":7000", "its name has 254 bytes, limit 253"),
        ])
    func refused(text: String, why: String) {
        #expect { _ = try ServerAddress(text) } throws: { "\($0)" == why }
    }

    // MARK: Order

    private let three = ["10.0.0.1:7", "10.0.0.2:7", "[fd00::1]:7"].compactMap { TCPAddress($0) }

    private func moment(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
    }

    @Test("failed attempts go through all addresses, then look the name up")
    func rotation() {
        var addresses = ServerAddresses(three, hasName: true)
        var tried: [TCPAddress] = []
        var lookups: [Bool] = []
        for attempt in 0..<4 {
            tried.append(addresses.current)
            addresses.noteFailure(at: moment(Int64(attempt)))
            lookups.append(addresses.needsLookup)
        }
        #expect(tried == three + [three[0]])
        #expect(lookups == [false, false, true, true])
    }

    @Test("a name is looked up at most once a second, a numeric address never")
    func lookups() {
        var named = ServerAddresses([three[0]], hasName: true)
        var count = 0
        for millisecond in stride(from: Int64(0), to: 3000, by: 100) {
            named.noteFailure(at: moment(millisecond))
            if named.needsLookup {
                count += 1
                named.noteLookup()
            }
        }
        #expect(count == 3)
        var numeric = ServerAddresses([three[0]], hasName: false)
        numeric.noteFailure(at: moment(0))
        numeric.noteLoss(at: moment(5000))
        #expect(!numeric.needsLookup && numeric.current == three[0])
    }

    @Test("after a lookup a link keeps its address, and an attempt an address the name still has")
    func update() {
        var addresses = ServerAddresses([three[0]], hasName: true)
        addresses.noteLoss(at: moment(0))
        #expect(addresses.needsLookup && addresses.current == three[0])
        let staysOpen = addresses.update([three[1]], isOpen: true)
        #expect(!staysOpen && addresses.current == three[0])
        let moves = addresses.update([three[2], three[1]], isOpen: false)
        #expect(moves && addresses.current == three[2])
        let keeps = addresses.update([three[1], three[2]], isOpen: false)
        #expect(!keeps && addresses.current == three[2])
        let empty = addresses.update([], isOpen: false)
        #expect(!empty && addresses.all == [three[1], three[2]])
        // An address that the name has lost is followed by the first of the others.
        _ = addresses.update([three[0], three[1]], isOpen: true)
        addresses.noteFailure(at: moment(1))
        #expect(addresses.current == three[0])
    }

    // MARK: Lookups

    @Test("a process of its own looks up a name")
    func resolver() throws {
        let resolver = try Resolver("localhost", port: 7000)
        #expect(resolver.takeAnswer() == nil)
        for _ in 0..<2 {
            resolver.ask()
            resolver.ask()
            #expect(resolver.isAwaiting)
            #expect(resolver.wait(milliseconds: 20_000))
            guard case .found(let addresses, of: let count)? = resolver.takeAnswer() else {
                Issue.record("localhost has no address")
                return
            }
            #expect(addresses.count == count)
            #expect(addresses.contains { ["127.0.0.1:7000", "[::1]:7000"].contains("\($0)") }, "\(addresses)")
            #expect(resolver.takeAnswer() == nil && !resolver.isAwaiting)
        }
    }

    @Test("a name of four numbers and sixteen bytes is an address")
    func bytes() {
        #expect(TCPAddress(bytes: [10, 0, 0, 1], port: 7).map { "\($0)" } == "10.0.0.1:7")
        #expect(TCPAddress(bytes: [UInt8](repeating: 0, count: 15) + [1], port: 7).map { "\($0)" } == "[::1]:7")
        #expect(TCPAddress(bytes: [1, 2, 3], port: 7) == nil)
        #expect(TCPAddress(peerOf: -1) == nil)
    }

    // MARK: Lines

    @Test("each change of a joined app is one line, and a repetition none")
    func lines() throws {
        var report = JoinReport(.app(9), at: try ServerAddress("house.lan:7"), showing: "Demo.yaml")
        let clock = PeerClock.Estimate(offset: -2_000_000, error: 100_000, roundTrip: 150_000)
        #expect(report.lost(three[0], at: moment(0)) == nil)
        #expect(
            report.connected(to: three[0], generation: 2, clock: clock, at: moment(0))
                == .out(
                    "app9: joined house.lan:7 (10.0.0.1), generation 2, this clock is 2.000 ms ± 0.100 ms ahead"))
        #expect(report.changed(.willEnterForeground) == nil)
        #expect(report.changed(.didBecomeActive) == .error("app9: shows Demo.yaml"))
        #expect(report.changed(.willResignActive) == nil)
        #expect(report.changed(.didBecomeActive) == nil)
        #expect(report.changed(.didEnterBackground) == .error("app9: is in the background"))
        #expect(
            report.lost(three[0], at: moment(10))
                == .error("app9: link to 10.0.0.1:7 lost; it joins again as soon as the server answers"))
        #expect(report.lost(three[0], at: moment(20)) == nil)
        let failed = report.notFound(because: "no answer", trying: three[0])
        #expect(failed == .error("app9: house.lan:7 does not resolve: no answer: tries 10.0.0.1 as before"))
        #expect(report.notFound(because: "no answer", trying: three[0]) == nil)
        #expect(
            report.moved(from: three[0], to: three[1])
                == .error("app9: house.lan:7 is no longer 10.0.0.1: tries 10.0.0.2"))
        #expect(
            report.connected(to: three[1], generation: 2, clock: nil, at: moment(1510))
                == .out("app9: joined again after 1500.000 ms: house.lan:7 (10.0.0.2), generation 2"))
        var numeric = JoinReport(.app(9), at: .numeric(three[0]), showing: "")
        #expect(
            numeric.connected(to: three[0], generation: 1, clock: nil, at: moment(0))
                == .out("app9: joined 10.0.0.1:7, generation 1"))
    }
}
