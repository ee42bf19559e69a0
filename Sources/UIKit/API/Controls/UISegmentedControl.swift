// UISegmentedControl.swift: a control with segments side by side, one of which is selected.
//
// Station   action
// Input     UIControl's tracking
// Output    valueChanged and primaryActionTriggered
// Knows     its segments. SegmentTracking decides which segment a touch selects.
//
// Sources   documented  a number beyond the last segment means the last; -1 means no segment; setting a selection sends
//                       no event; a momentary control keeps no selection
//           inferred    a momentary control's selection can be read while its valueChanged is sent, and not afterwards

public import Foundation

/// A control with segments side by side, one of which is selected.
open class UISegmentedControl: UIControl {
    /// The index of no segment.
    public static let noSegment = -1
    /// Points. The size that fits counts this width for a segment without a width of its own.
    private static let usualWidth: CGFloat = 48
    private static let height: CGFloat = 32

    private struct Segment {
        var title: String?
        var action: UIAction?
        /// Points; at 0 the segment shares the width that the others leave.
        var width: CGFloat = 0
        var isEnabled = true
    }

    private final var segments: [Segment] = []
    private final var segmentTracking = SegmentTracking()
    private final var selectedIndex = UISegmentedControl.noSegment
    /// The segment under the touch.
    package private(set) final var highlightedSegment: Int?

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    /// - Parameter items: Titles. An item that is not a `String` makes a segment without a title.
    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        segments = (items ?? []).map { Segment(title: $0 as? String) }
        frame.size = sizeThatFits(.zero)
    }

    /// Makes one segment for each action. The action runs when its segment is selected.
    public convenience init(frame: CGRect, actions: [UIAction]) {
        self.init(frame: frame)
        segments = actions.map { Segment(title: $0.title, action: $0) }
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let width = segments.reduce(0) { $0 + ($1.width > 0 ? $1.width : Self.usualWidth) }
        return CGSize(width: width, height: Self.height)
    }

    // MARK: Selection

    /// Whether a selection lasts only while its valueChanged is sent.
    open var isMomentary = false {
        didSet { if isMomentary { selectedIndex = Self.noSegment } }
    }

    /// The index of the selected segment, or -1. An index without a segment stops the program. Setting it sends no event.
    open var selectedSegmentIndex: Int {
        get { selectedIndex }
        set {
            demand(
                newValue == Self.noSegment || segments.indices.contains(newValue),
                "\(traceLabel).selectedSegmentIndex \(newValue) is none of its \(segments.count) segments")
            selectedIndex = newValue
        }
    }

    open var selectedSegmentTintColor: UIColor?

    // MARK: Segments

    open var numberOfSegments: Int { segments.count }

    /// Inserts a segment at an index, or at the nearest one in range. The selected segment stays selected.
    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        insert(Segment(title: title), at: segment)
    }

    /// Inserts a segment that runs an action. Nothing happens if a segment has the same action or identifier.
    open func insertSegment(action: UIAction, at segment: Int, animated: Bool) {
        guard !segments.contains(where: { $0.action?.isSame(as: action) == true }) else { return }
        insert(Segment(title: action.title, action: action), at: segment)
    }

    private final func insert(_ new: Segment, at segment: Int) {
        let index = min(max(segment, 0), segments.count)
        segments.insert(new, at: index)
        if selectedIndex >= index { selectedIndex += 1 }
        setNeedsLayout()
    }

    /// Removes a segment. If it was selected, no segment is selected afterwards.
    open func removeSegment(at segment: Int, animated: Bool) {
        guard let index = clampedIndex(segment) else { return }
        segments.remove(at: index)
        if selectedIndex == index {
            selectedIndex = Self.noSegment
        } else if selectedIndex > index {
            selectedIndex -= 1
        }
        setNeedsLayout()
    }

    open func removeAllSegments() {
        segments = []
        selectedIndex = Self.noSegment
        setNeedsLayout()
    }

    open func setTitle(_ title: String?, forSegmentAt segment: Int) {
        if let index = clampedIndex(segment) { segments[index].title = title }
    }
    open func titleForSegment(at segment: Int) -> String? { clampedIndex(segment).flatMap { segments[$0].title } }

    open func setAction(_ action: UIAction, forSegmentAt segment: Int) {
        guard let index = clampedIndex(segment) else { return }
        segments[index].action = action
        segments[index].title = action.title
    }
    open func actionForSegment(at segment: Int) -> UIAction? { clampedIndex(segment).flatMap { segments[$0].action } }
    /// The segment whose action has this identifier, or `NSNotFound`.
    open func segmentIndex(identifiedBy actionIdentifier: UIAction.Identifier) -> Int {
        segments.firstIndex { $0.action?.identifier == actionIdentifier } ?? NSNotFound
    }

    /// - Parameters:
    ///   - width: Points; at 0 the segment shares the width that the others leave.
    ///   - segment: The index of the segment.
    open func setWidth(_ width: CGFloat, forSegmentAt segment: Int) {
        if let index = clampedIndex(segment) { segments[index].width = max(0, width) }
    }
    open func widthForSegment(at segment: Int) -> CGFloat { clampedIndex(segment).map { segments[$0].width } ?? 0 }

    open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) {
        if let index = clampedIndex(segment) { segments[index].isEnabled = enabled }
    }
    open func isEnabledForSegment(at segment: Int) -> Bool {
        clampedIndex(segment).map { segments[$0].isEnabled } ?? false
    }

    /// The index of the segment; the last one for a greater index, nil without segments. A negative index stops the program.
    private final func clampedIndex(_ segment: Int) -> Int? {
        demand(segment >= 0, "\(traceLabel) has no segment \(segment)")
        return segments.isEmpty ? nil : min(segment, segments.count - 1)
    }

    // MARK: Geometry

    /// The rectangle of a segment in the control's coordinates. If the set widths fill the bounds, other segments have no
    /// width.
    package final func rect(ofSegment segment: Int) -> CGRect {
        let given = segments.reduce(0) { $0 + $1.width }
        let sharers = segments.count { $0.width == 0 }
        let share = sharers > 0 ? max(0, bounds.width - given) / CGFloat(sharers) : 0
        func width(_ segment: Segment) -> CGFloat { segment.width > 0 ? segment.width : share }
        let x = segments[..<segment].reduce(0) { $0 + width($1) }
        return CGRect(x: bounds.minX + x, y: bounds.minY, width: width(segments[segment]), height: bounds.height)
    }

    /// The enabled segment under the touch, also within the margin around the control in which its events count as inside.
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
        handle(.began(over: segment(under: touch)), event)
        return true
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        handle(.moved(over: segment(under: touch)), event)
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        handle(.ended(over: touch.flatMap { segment(under: $0) }), event)
    }

    override func trackingDidEnd() {
        super.trackingDidEnd()
        handle(.cancelled, nil)
    }

    private final func handle(_ input: SegmentTracking.Input, _ event: UIEvent?) {
        switch segmentTracking.handle(input) {
        case .nothing: break
        case .highlight(let segment): highlightedSegment = segment
        case .select(let segment):
            highlightedSegment = nil
            select(segment, event)
        }
    }

    private final func select(_ segment: Int, _ event: UIEvent?) {
        guard isMomentary || segment != selectedIndex else { return }
        selectedIndex = segment
        let action = segments[segment].action
        sendValueEvents(with: event)
        if let action { sendAction(action) }
        if isMomentary { selectedIndex = Self.noSegment }
    }
}
