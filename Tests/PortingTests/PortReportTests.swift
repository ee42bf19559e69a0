import Porting
import Testing

@Suite("what does not work on Linux")
struct PortReportTests {
    private func findings(_ source: String) -> [String] {
        Rewriter([PortedFile(path: "a.swift", bytes: Array(source.utf8))]).findings.map { finding in
            "\(finding.kind.rawValue) \(finding.name) \(finding.uses.map { "\($0.line)" }.joined(separator: ","))"
        }
    }

    @Test("modules and names that Linux does not have are listed with their lines")
    func names() {
        #expect(
            findings(
                """
                import UIKit
                import QuartzCore
                import SwiftUI
                import struct Combine.Just
                class Page: UICollectionView, CardThing {
                    let a: UICollectionView?, b: CGRect, c: CALayer, d: UIPage
                    // UICollectionViewCell
                    var e = [UIPage.self, .UIMissing]
                }
                struct UIPage {}
                """) == ["module Combine 4", "module SwiftUI 3", "name UICollectionView 5,6"])
    }

    @Test("code for a module that Linux does not have is left out")
    func conditions() {
        #expect(
            findings(
                """
                #if canImport(SwiftUI)
                import SwiftUI
                let a: UIHostingController<Text>
                #else
                let b: UIMissingThing
                #endif
                """) == ["name UIMissingThing 5"])
    }

    @Test("uses of Objective-C's runtime are listed")
    func runtime() {
        #expect(
            findings(
                """
                let a = view.observe(\\.frame) { _, _ in }
                let b = object.value(forKey: "x")
                let c = store.value(for: "x")
                method_exchangeImplementations(d, e)
                extension UIView { override func layoutSubviews() {} }
                """) == [
                    "runtime key-value coding 2", "runtime key-value observing 1",
                    "runtime method_exchangeImplementations 4",
                    "runtime override in an extension of UIView 5",
                ])
    }
}
