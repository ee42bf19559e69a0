// ViewKinds.swift: the kinds of views in a monkey's world: their share of the seeds and their object.
//
// Input     Invention, for a kind; MonkeyRun, for the view
// Output    a kind; a view of UIKit
// Knows     UIKit's views and controls. A new kind is declared, drawn and made here.
//
// Sources   invented

import UIKit

extension MonkeyWorld.View {
    /// The kind of a view.
    package enum Kind: String, Sendable, CaseIterable {
        case plain, control, button, toggle, slider, stepper, segments, pages, scroll

        init(_ chance: inout Chance) {
            self =
                switch chance.number(in: 1...20) {
                case 1...11: .plain
                case 12...14: .scroll
                case 15: .control
                case 16...17: .button
                default: chance.pick([.toggle, .slider, .stepper, .segments, .pages])
                }
        }

        func make(_ plan: MonkeyWorld.View) -> UIView {
            switch self {
            case .plain: return UIView(frame: plan.frame)
            case .control: return UIControl(frame: plan.frame)
            case .button: return UIButton(frame: plan.frame)
            case .toggle: return UISwitch(frame: plan.frame)
            case .slider: return UISlider(frame: plan.frame)
            case .stepper: return UIStepper(frame: plan.frame)
            case .segments:
                let segments = UISegmentedControl(items: ["a", "b", "c"])
                segments.frame = plan.frame
                return segments
            case .pages:
                let pages = UIPageControl(frame: plan.frame)
                pages.numberOfPages = 3
                return pages
            case .scroll:
                let scroll = UIScrollView(frame: plan.frame)
                scroll.contentSize = CGSize(width: plan.frame.width * 2, height: plan.frame.height * 3)
                scroll.delaysContentTouches = plan.delaysContent
                scroll.canCancelContentTouches = plan.cancelsContent
                scroll.isPagingEnabled = plan.pages
                return scroll
            }
        }
    }
}
