// Foundation.swift: re-exports Foundation, because `import UIKit` on iOS brings Foundation with it.
@_exported public import Foundation
// The module's own Task.sleep follows an application's clock.
@_exported public import SystemClock
