// UISegmentedControl.swift: one of several, side by side.
//
// Fed by    UIControl's tracking
// Feeds     valueChanged and primaryActionTriggered
// Knows     its segments. SegmentTracking decides which one a finger means.
//
// Sources   documented  a number beyond the last segment means the last one; -1 is none; setting a selection sends
//                       nothing; a momentary control keeps no selection
//           inferred    a momentary control's selection can be read while its valueChanged is sent, and not after

public import Foundation

open class UISegmentedControl: UIControl {
    /// No segment is selected.
    public static let noSegment = -1
    /// Points; a segment of no width of its own is at least this wide when asked how large it would be.
    private static let usualWidth: CGFloat = 48
    private static let height: CGFloat = 32

    private struct Segment {
        var title: String?
        var action: UIAction?
        /// Points; 0 shares what the others leave.
        var width: CGFloat = 0
        var isEnabled = true
    }

    private final var segments: [Segment] = []
    private final var follows = SegmentTracking()
    private final var selected = UISegmentedControl.noSegment
    /// The one under the finger.
    package private(set) final var litSegment: Int?

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    /// - Parameter items: Titles. What is no `String` makes a segment without one.
    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        segments = (items ?? []).map { Segment(title: $0 as? String) }
        frame.size = sizeThatFits(.zero)
    }

    /// One segment for each action, which runs when that segment is selected.
    public convenience init(frame: CGRect, actions: [UIAction]) {
        self.init(frame: frame)
        segments = actions.map { Segment(title: $0.title, action: $0) }
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let width = segments.reduce(0) { $0 + ($1.width > 0 ? $1.width : Self.usualWidth) }
        return CGSize(width: width, height: Self.height)
    }

    // MARK: Selection

    /// Whether a selection lasts no longer than its valueChanged.
    open var isMomentary = false {
        didSet { if isMomentary { selected = Self.noSegment } }
    }

    open var selectedSegmentIndex: Int {
        get { selected }
        set {
            demand(
                newValue == Self.noSegment || segments.indices.contains(newValue),
                "\(traceLabel).selectedSegmentIndex \(newValue) is none of its \(segments.count) segments")
            selected = newValue
        }
    }

    open var selectedSegmentTintColor: UIColor?

    // MARK: Segments

    open var numberOfSegments: Int { segments.count }

    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        insert(Segment(title: title), at: segment)
    }

    /// An action of an identifier that is there already is not put in a second time.
    open func insertSegment(action: UIAction, at segment: Int, animated: Bool) {
        guard !segments.contains(where: { $0.action?.isSame(as: action) == true }) else { return }
        insert(Segment(title: action.title, action: action), at: segment)
    }

    private final func insert(_ new: Segment, at segment: Int) {
        let index = min(max(segment, 0), segments.count)
        segments.insert(new, at: index)
        if selected >= index { selected += 1 }
        setNeedsLayout()
    }

    open func removeSegment(at segment: Int, animated: Bool) {
        guard let index = pinned(segment) else { return }
        segments.remove(at: index)
        if selected == index { selected = Self.noSegment } else if selected > index { selected -= 1 }
        setNeedsLayout()
    }

    open func removeAllSegments() {
        segments = []
        selected = Self.noSegment
        setNeedsLayout()
    }

    open func setTitle(_ title: String?, forSegmentAt segment: Int) {
        if let index = pinned(segment) { segments[index].title = title }
    }
    open func titleForSegment(at segment: Int) -> String? { pinned(segment).flatMap { segments[$0].title } }

    open func setAction(_ action: UIAction, forSegmentAt segment: Int) {
        guard let index = pinned(segment) else { return }
        segments[index].action = action
        segments[index].title = action.title
    }
    open func actionForSegment(at segment: Int) -> UIAction? { pinned(segment).flatMap { segments[$0].action } }
    /// `NSNotFound` when no segment has such an action.
    open func segmentIndex(identifiedBy actionIdentifier: UIAction.Identifier) -> Int {
        segments.firstIndex { $0.action?.identifier == actionIdentifier } ?? NSNotFound
    }

    /// - Parameter width: Points; 0 shares what the others leave.
    open func setWidth(_ width: CGFloat, forSegmentAt segment: Int) {
        if let index = pinned(segment) { segments[index].width = max(0, width) }
    }
    open func widthForSegment(at segment: Int) -> CGFloat { pinned(segment).map { segments[$0].width } ?? 0 }

    open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) {
        if let index = pinned(segment) { segments[index].isEnabled = enabled }
    }
    open func isEnabledForSegment(at segment: Int) -> Bool { pinned(segment).map { segments[$0].isEnabled } ?? false }

    /// Beyond the last is the last; nil when there are none.
    private final func pinned(_ segment: Int) -> Int? {
        demand(segment >= 0, "\(traceLabel) has no segment \(segment)")
        return segments.isEmpty ? nil : min(segment, segments.count - 1)
    }

    // MARK: Places

    /// In the control's own coordinates. Widths that do not fit the bounds leave the others nothing.
    package final func rect(ofSegment segment: Int) -> CGRect {
        let given = segments.reduce(0) { $0 + $1.width }
        let sharers = segments.count { $0.width == 0 }
        let share = sharers > 0 ? max(0, bounds.width - given) / CGFloat(sharers) : 0
        func width(_ segment: Segment) -> CGFloat { segment.width > 0 ? segment.width : share }
        let x = segments[..<segment].reduce(0) { $0 + width($1) }
        return CGRect(x: bounds.minX + x, y: bounds.minY, width: width(segments[segment]), height: bounds.height)
    }

    /// The enabled segment a finger is over, as far around the control as its events count as inside.
    private final func segment(under touch: UITouch) -> Int? {
        guard isInside(touch), !segments.isEmpty else { return nil }
        let x = touch.location(in: self).x
        let over = segments.indices.first { x < rect(ofSegment: $0).maxX } ?? segments.count - 1
        return segments[over].isEnabled ? over : nil
    }

    // MARK: Tracking

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        !keepsTap(from: gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.beginTracking(touch, with: event) else { return false }
        follow(.began(over: segment(under: touch)), event)
        return true
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        follow(.moved(over: segment(under: touch)), event)
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        follow(.ended(over: touch.flatMap { segment(under: $0) }), event)
    }

    override func trackingIsOver() {
        super.trackingIsOver()
        follow(.cancelled, nil)
    }

    private final func follow(_ input: SegmentTracking.Input, _ event: UIEvent?) {
        switch follows.handle(input) {
        case .nothing: break
        case .light(let segment): litSegment = segment
        case .choose(let segment):
            litSegment = nil
            choose(segment, event)
        }
    }

    private final func choose(_ segment: Int, _ event: UIEvent?) {
        guard isMomentary || segment != selected else { return }
        selected = segment
        let action = segments[segment].action
        announceValue(event)
        if let action { sendAction(action) }
        if isMomentary { selected = Self.noSegment }
    }
}
