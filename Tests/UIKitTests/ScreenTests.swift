import Basics
import Foundation
import Testing

@testable import UIKit

@Suite("Screens")
struct ScreenTests {
    private func app(on own: Int) -> UIApplication {
        var settings = UIKitSettings()
        settings.display.others = [UIKitSettings.Screen(size: CGSize(width: 800, height: 600), scale: 1.5)]
        settings.display.ownIndex = own
        return UIApplication(settings: settings)
    }

    @Test("the main screen is the first, whatever screen the application is on")
    func all() {
        for own in 0...1 {
            UIApplication.run(as: app(on: own)) {
                #expect(UIScreen.screens.map(\.bounds.size.width) == [375, 800])
                #expect(UIScreen.screens.map(\.scale) == [2, 1.5])
                #expect(UIScreen.main === UIScreen.screens[0])
                #expect(UIScreen.screens[1].nativeBounds.size == CGSize(width: 1200, height: 900))
                #expect(UIApplication.shared.windowScene.screen === UIScreen.screens[own])
            }
        }
    }

    @Test("a window made for the main screen fills its scene's screen")
    func windows() {
        UIApplication.run(as: app(on: 1)) {
            let filling = UIWindow(frame: UIScreen.main.bounds)
            #expect(filling.frame == CGRect(x: 0, y: 0, width: 800, height: 600))
            #expect(filling.screen === UIScreen.screens[1])
            #expect(UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 600)).frame.size.width == 375)
            #expect(UIWindow(windowScene: UIApplication.shared.windowScene).frame == filling.frame)
        }
        UIApplication.run(as: app(on: 0)) {
            #expect(UIWindow(frame: UIScreen.main.bounds).frame.size.width == 375)
        }
    }

    @Test("a turn affects only the screen that the application is on")
    func turning() {
        let app = app(on: 1)
        UIApplication.run(as: app) {
            let window = UIWindow(frame: UIScreen.main.bounds)
            window.isHidden = false
            app.moveScene(to: app.sceneFrame, orientation: .landscapeLeft)
            #expect(UIScreen.screens[1].bounds.size == CGSize(width: 600, height: 800))
            #expect(UIScreen.main.bounds.size == CGSize(width: 375, height: 667))
            #expect(window.frame.size == CGSize(width: 600, height: 800))
        }
    }
}
