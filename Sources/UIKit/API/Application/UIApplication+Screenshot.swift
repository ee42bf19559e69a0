// UIApplication+Screenshot.swift: the notification that a person took a screenshot.
//
// Station   app
// Input     AppCore: the server's message, in its order among the app's events
// Output    observers of the notification
// Knows     neither the keys that were pressed nor the picture
//
// Sources   documented  UIApplication.userDidTakeScreenshotNotification: posted after the screenshot, without a userInfo
//           inferred    its object is the application, as in other notifications that UIApplication posts

public import Foundation

extension UIApplication {
    /// Posted by this application on the main queue, after a person took a screenshot.
    ///
    /// The notification does not contain what was visible. An app with secure windows receives it like any other app.
    public static let userDidTakeScreenshotNotification = NSNotification.Name(
        "UIApplicationUserDidTakeScreenshotNotification")

    /// Notes the screenshot and posts the notification.
    package final func postScreenshotNotification() {
        emit(.app(.tookScreenshot))
        host.postNotification(Self.userDidTakeScreenshotNotification)
    }
}
