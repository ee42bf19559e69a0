// Foundation.swift: re-exports Foundation, because `import UIKit` on iOS brings Foundation with it.
@_exported public import Foundation
