// UIApplication+Screenshot.swift: the app hears that a person has taken a picture of the screen it is on.
//
// Station   app
// Fed by    AppCore: the server's word, in its place among the app's events
// Feeds     whoever observes the notification
// Knows     nothing of the keys, nor of the picture.
//
// Sources   documented  UIApplication.userDidTakeScreenshotNotification: posted after the screenshot, without a userInfo
//           inferred    its object is the application, as of the others that UIApplication posts

public import Foundation

extension UIApplication {
    /// A person has taken a screenshot: posted behind it, on the main queue, by this application. It says nothing of what
    /// was to be seen: an app with something to hide is told as any other.
    public static let userDidTakeScreenshotNotification = NSNotification.Name(
        "UIApplicationUserDidTakeScreenshotNotification")

    package final func tookScreenshot() {
        emit(.app(.tookScreenshot))
        host.posts(Self.userDidTakeScreenshotNotification)
    }
}
