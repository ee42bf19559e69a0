// SceneEquality.swift: whether two scenes describe the same, wherever their keys stand in a file.
//
// Input     SceneText
// Output    a flag
//
// Sources   invented

extension Scene {
    /// Whether both scenes have the same content. The places of keys in their files may differ.
    func isEqual(to other: Scene) -> Bool {
        screen == other.screen && app == other.app
            && windows.map(\.withoutLocations) == other.windows.map(\.withoutLocations)
    }
}

extension WindowSpec {
    fileprivate var withoutLocations: WindowSpec {
        var window = self
        window.view = view.withoutLocations
        window.root = root?.withoutLocations
        window.controller?.location = .nowhere
        return window
    }
}

extension ViewSpec {
    fileprivate var withoutLocations: ViewSpec {
        var view = self
        (view.location, view.classLocation) = (.nowhere, .nowhere)
        view.subviews = subviews.map(\.withoutLocations)
        view.gestures = gestures.map { gesture in
            var gesture = gesture
            gesture.location = .nowhere
            gesture.requireToFail = gesture.requireToFail.map { Located($0.value, .nowhere) }
            return gesture
        }
        return view
    }
}
