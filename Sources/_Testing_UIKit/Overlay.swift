// Overlay.swift: an empty module that lets a test file import both Testing and UIKit.
//
// The toolchain imports a module of this name into each file that imports Testing and a module called UIKit. On Apple's
// platforms that module attaches images to tests. This project has no images, so the module is empty. Without it, no file
// with Swift Testing could import UIKit. See Docs/Decisions/UIKitAndTesting.md.
