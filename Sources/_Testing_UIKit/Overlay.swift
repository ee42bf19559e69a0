// The toolchain's Testing library expects a module of this name wherever a file imports both Testing and a module
// called UIKit: on a phone it attaches images to tests. Here there are no images, and the module says nothing; without
// it no Swift Testing file could import UIKit. See Docs/Decisions/UIKitAndTesting.md.
