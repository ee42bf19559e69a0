// UIWindowScene.swift: the scene of an application.
//
// Station   app
//
// Sources   documented  UIScene, UIWindowScene
//           invented    an application has one scene
/// A group of an application's windows, which iOS has since version 13.
open class UIScene: UIResponder {
    unowned(unsafe) var application: UIApplication?
    /// The scene's delegate. The scene retains it, because no other object does.
    open var delegate: (any UISceneDelegate)?
    /// The session of this scene.
    public let session = UISceneSession()

    open override var next: UIResponder? { standardNext }

    override var standardNext: UIResponder? { application }
}

/// The one scene of an application. The scene is in the responder chain, between window and application, only with the
/// setting `responder.windowScene`.
open class UIWindowScene: UIScene {
    init(application: UIApplication) {
        super.init()
        self.application = application
        session.scene = self
    }

    /// The windows that are shown, back to front.
    open var windows: [UIWindow] { application?.windows ?? [] }
    open var screen: UIScreen { application?.screen ?? UIScreen.main }
    /// The orientation of the interface.
    open var interfaceOrientation: UIInterfaceOrientation {
        application.map { UIInterfaceOrientation($0.orientation) } ?? .unknown
    }
    open var keyWindow: UIWindow? { application?.keyWindow }
}
