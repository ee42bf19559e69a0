// Credentials.swift: who is at the other end of a connection, in the kernel's word.

struct Credentials: Hashable, Sendable {
    var pid: Int32
    var uid: UInt32

    init(pid: Int32, uid: UInt32) { (self.pid, self.uid) = (pid, uid) }

    /// - Parameter peerAddress: `localhost:uid:gid:pid`, as libzmq writes it for ipc connections.
    /// - Returns: Nil for anything else, such as the address of a tcp peer.
    init?(peerAddress: UnsafePointer<CChar>) {
        // Once a packet, so without making text of it.
        var numbers: (Int64, Int64, Int64) = (0, 0, 0)
        var field = 0
        var digits = 0
        var rest = peerAddress
        while rest.pointee != 0 {
            let character = UInt8(bitPattern: rest.pointee)
            rest += 1
            if character == UInt8(ascii: ":") {
                guard field == 0 || digits > 0 else { return nil }
                (field, digits) = (field + 1, 0)
            } else if field > 0 {
                guard (48...57).contains(character), digits < 10 else { return nil }
                let digit = Int64(character - 48)
                switch field {
                case 1: numbers.0 = numbers.0 * 10 + digit
                case 2: numbers.1 = numbers.1 * 10 + digit
                case 3: numbers.2 = numbers.2 * 10 + digit
                default: return nil
                }
                digits += 1
            }
        }
        guard field == 3, digits > 0, let pid = Int32(exactly: numbers.2), let uid = UInt32(exactly: numbers.0) else {
            return nil
        }
        self.init(pid: pid, uid: uid)
    }
}
