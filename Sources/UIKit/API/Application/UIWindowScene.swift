/// What groups an application's windows since iOS 13.
open class UIScene: UIResponder {
    unowned(unsafe) var application: UIApplication?
    /// Kept, as the object that the system makes is the system's.
    open var delegate: (any UISceneDelegate)?
    /// The one this scene is of.
    public let session = UISceneSession()

    open override var next: UIResponder? { application }
}

/// The one scene an application has here. It stands in the responder chain, between window and application, only
/// with the setting `responder.windowScene`.
open class UIWindowScene: UIScene {
    init(application: UIApplication) {
        super.init()
        self.application = application
        session.scene = self
    }

    /// Back to front.
    open var windows: [UIWindow] { application?.windows ?? [] }
    open var screen: UIScreen { application?.screen ?? UIScreen.main }
    open var interfaceOrientation: UIInterfaceOrientation {
        application.map { UIInterfaceOrientation($0.orientation) } ?? .unknown
    }
    open var keyWindow: UIWindow? { application?.keyWindow }
}
