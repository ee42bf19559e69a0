public import Basics
public import HID

extension PencilAngles {
    /// A pencil that leans, for tests of what carries its angles.
    public static let sample = PencilAngles(altitude: Fixed(1), azimuth: Fixed(2))

    /// Every angle from one source, such as chance.
    public init(each angle: () -> Fixed) { self.init(altitude: angle(), azimuth: angle()) }
}
