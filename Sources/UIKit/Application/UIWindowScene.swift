/// What groups an application's windows since iOS 13.
open class UIScene: UIResponder {
    unowned(unsafe) var application: UIApplication?

    open override var next: UIResponder? { application }
}

/// The one scene an application has here. It stands in the responder chain, between window and application, only
/// with the setting `responder.windowScene`.
open class UIWindowScene: UIScene {
    init(application: UIApplication) {
        super.init()
        self.application = application
    }

    /// Back to front.
    open var windows: [UIWindow] { application?.windows ?? [] }
    open var screen: UIScreen { application?.screen ?? UIScreen.main }
    open var interfaceOrientation: UIInterfaceOrientation {
        application.map { UIInterfaceOrientation($0.orientation) } ?? .unknown
    }
    open var keyWindow: UIWindow? { application?.keyWindow }
}
