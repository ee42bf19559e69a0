// RemoteApps.swift: the launch orders that a server sends to apps of other machines, and the state of these apps.
//
// Input     PeerListener: each hello of a connection that is open
// Output    the launch order of the welcome; rows of the report
// Knows     apps and their hellos. No keys, no connections, no clock.
//
// Sources   invented

import Basics
import Hosting
import Wire

/// The apps of other machines that have joined a server.
struct RemoteApps {
    /// The server's own launch order, which names the group that an app joins.
    private let order: LaunchOrder
    private let settings: (AppID) -> [Setting]
    private var generations = LatestGenerations()
    /// The latest hello of each app, and the address that it came from; nil if its connection has ended meanwhile.
    private var latestHellos: [(peer: Peer, hello: RemoteHello, address: TCPAddress?)] = []

    /// - Parameter settings: The settings of the group that an app receives.
    init(of order: LaunchOrder, settings: @escaping (AppID) -> [Setting]) {
        (self.order, self.settings) = (order, settings)
    }

    mutating func welcome(_ peer: Peer, _ hello: RemoteHello, from address: TCPAddress?) -> LaunchOrder {
        if let index = latestHellos.firstIndex(where: { $0.peer == peer }) {
            latestHellos[index] = (peer, hello, address)
        } else {
            latestHellos.append((peer, hello, address))
        }
        let app = AppID(peer.instance)
        return LaunchOrder(
            peer: peer, epoch: order.epoch, generation: generations.generation(for: app, hello), runDirectory: "",
            settings: settings(app))
    }

    /// Adds rows about the apps that have joined: their generation and address, the offset of their clock from the
    /// server's in milliseconds, and its error.
    func addRows(of peers: [Peer], to report: inout Report) {
        report.add("remote.apps", peers.count)
        for peer in peers {
            guard let (_, hello, address) = latestHellos.first(where: { $0.peer == peer }) else { continue }
            report.add("\(peer).joined", hello.generation)
            if let address { report.add("\(peer).address", text: "\(address)") }
            guard hello.error >= 0 else { continue }
            // A hello contains how far the server's clock is ahead of the app's.
            report.add("\(peer).clock.offset", text: millisecondsText(hello.offset == .min ? .max : -hello.offset))
            report.add("\(peer).clock.error", text: "± " + millisecondsText(hello.error))
        }
    }
}
