// UIVisualEffectView.swift: a view with a blurred background, which is not drawn.
//
// Sources   documented  UIVisualEffectView: subviews belong into `contentView`

public import Foundation

/// A look of a view's background. No effect here.
open class UIVisualEffect: NSObject {}

/// A blurred background. No effect here.
open class UIBlurEffect: UIVisualEffect {
    /// The look of the blur.
    public enum Style: Int, Sendable {
        case extraLight, light, dark, regular = 4, prominent, systemUltraThinMaterial, systemThinMaterial,
            systemMaterial
        case systemThickMaterial, systemChromeMaterial, systemUltraThinMaterialLight, systemThinMaterialLight
        case systemMaterialLight, systemThickMaterialLight, systemChromeMaterialLight, systemUltraThinMaterialDark
        case systemThinMaterialDark, systemMaterialDark, systemThickMaterialDark, systemChromeMaterialDark
    }

    public init(style: Style) { super.init() }
}

/// A content that looks as if it shines through a blur. No effect here.
open class UIVibrancyEffect: UIVisualEffect {
    public init(blurEffect: UIBlurEffect) { super.init() }
}

/// A view with an effect, which has no effect here, and a content view that fills it.
open class UIVisualEffectView: UIView {
    open var effect: UIVisualEffect?
    /// The view for subviews.
    public let contentView = UIView(frame: .zero)

    public init(effect: UIVisualEffect?) {
        super.init(frame: .zero)
        self.effect = effect
        addContentView()
    }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        addContentView()
    }

    /// Returns nil, because this project has no archives of views.
    public required init?(coder: NSCoder) { nil }

    private final func addContentView() {
        contentView.frame = bounds
        contentView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(contentView)
    }
}
