public import Basics
public import HID

extension PencilAngles {
    /// The angles of a leaning pencil, for tests of what carries them.
    public static let sample = PencilAngles(altitude: Fixed(1), azimuth: Fixed(2))

    /// Draws every angle from one source, such as chance.
    public init(each angle: () -> Fixed) { self.init(altitude: angle(), azimuth: angle()) }
}
