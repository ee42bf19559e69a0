// ControlBroker+TouchMonitors.swift: the touch monitors among the controllers.
//
// Station   process
// Input     SupervisorCore: requests of controllers that monitor touches, pages of the server
// Output    requests to the server, pages to controllers
// Knows     which controllers are monitors. The server decides what they receive.
//
// Sources   invented, Docs/Decisions/TouchMonitors.md

import Hosting
import Wire

extension ControlBroker {
    /// Passes a touch monitor's request on to the server, which limits the number of monitors.
    mutating func forwardMonitorRequest(
        _ request: TouchMonitorRequest, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        var request = request
        request.id = controller.instance
        let message = SupervisorToServer.monitor(request)
        let server = children.listeningIndex(of: .systemServer)
        let isMonitor = monitors.contains { $0.controller == controller }
        switch request.kind {
        case .begin(let interest):
            guard let server else {
                return refuse(controller, "system-server is not running", in: children, into: &outbox)
            }
            guard self.request(message, of: server, for: controller, in: &children, into: &outbox) else { return }
            monitors.removeAll { $0.controller == controller }
            monitors.append((controller, interest))
        case .acknowledged, .answer:
            guard let server, isMonitor else { return }
            self.request(message, of: server, for: controller, in: &children, into: &outbox)
        case .end:
            guard isMonitor else { return }
            monitors.removeAll { $0.controller == controller }
            guard let server else { return }
            send(message, to: server, for: controller, in: &children, into: &outbox)
        }
    }

    /// Passes a page of the server on to its touch monitor. A page that turns the monitor away ends it.
    mutating func forwardMonitorPage(
        _ page: TouchMonitorPage, from index: Int, in children: ChildTable, into outbox: inout Outbox
    ) {
        let controller = Peer(.controller, page.id)
        guard children.peer(at: index) == .systemServer, monitors.contains(where: { $0.controller == controller })
        else { return }
        if case .turnedAway = page.content { monitors.removeAll { $0.controller == controller } }
        reply(.monitorPage(page), to: controller, in: children, into: &outbox)
    }
}
