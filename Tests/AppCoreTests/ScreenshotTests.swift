import AppCore
import Foundation
import HID
import Hosting
import Links
import Testing
import Trace
import UIKit
import Wire

@Suite("Screenshots of an app")
struct ScreenshotTests {
    /// Counts the screenshot notifications of one application.
    private final class Observer: @unchecked Sendable {
        private(set) var heard: [[AnyHashable: Any]?] = []
        private var token: (any NSObjectProtocol)?

        /// Lets the application post to the notification center, as an app with its own process does.
        init(_ application: UIApplication) {
            application.host.postNotification = { [unowned application] in
                NotificationCenter.default.post(name: $0, object: application)
            }
            token = NotificationCenter.default.addObserver(
                forName: UIApplication.userDidTakeScreenshotNotification, object: application, queue: nil
            ) { [weak self] in self?.heard.append($0.userInfo) }
        }

        func end() { if let token { NotificationCenter.default.removeObserver(token) } }
    }

    private func isTaken(of stage: Stage) {
        stage.deliver(.frame(stage.server.frame(.screenshot), from: .systemServer))
    }

    @Test("each screenshot posts one notification without details and keeps touches alive")
    func posted() throws {
        let stage = try Stage()
        let observer = Observer(stage.application)
        defer { observer.end() }
        stage.touch(.began)
        isTaken(of: stage)
        #expect(observer.heard.count == 1 && observer.heard.allSatisfy { $0 == nil })
        isTaken(of: stage)
        #expect(observer.heard.count == 2)
        #expect(stage.facts.count { $0.text.contains("a screenshot was taken") } == 2)
        stage.touch(.ended)
        #expect(stage.receipts.last?.outcome == .delivered && stage.receipts.last?.ended == 1)
    }

    @Test("a screenshot notifies only the captured app, even with secure windows")
    func whose() throws {
        let (shown, other) = (try Stage { application, _ in application.windows.first?.isSecure = true }, try Stage())
        let observers = [Observer(shown.application), Observer(other.application)]
        defer { for observer in observers { observer.end() } }
        isTaken(of: shown)
        #expect(observers.map(\.heard.count) == [1, 0])
    }
}
