// NameTable.swift: the index of a name in a table of names that never changes.
//
// A process looks up several hundred settings when it starts. A dictionary hashes a name with a seeded hash, at 900
// instructions; this table uses a digest, and takes 100.
//
// Knows     names and their order. No setting.
//
// Sources   invented

import Wire

/// Finds names in a list without duplicates.
struct NameTable: Sendable {
    private let names: [String]
    /// The index of a name by the last bits of its digest, or by the next free slot; −1 for a free slot.
    private var slots: [Int16]

    /// - Parameter names: At most some thousand names. The first of two equal names is found.
    init(_ names: [String]) {
        self.names = names
        var size = 16
        while size < 4 * names.count { size *= 2 }
        slots = [Int16](repeating: -1, count: size)
        for (index, name) in names.enumerated() {
            var slot = firstSlot(of: name)
            while slots[slot] >= 0 { slot = successor(of: slot) }
            slots[slot] = Int16(index)
        }
    }

    /// The index of a name in the list; nil if the list does not contain it.
    func index(of name: String) -> Int? {
        var slot = firstSlot(of: name)
        while true {
            let index = Int(slots[slot])
            guard index >= 0 else { return nil }
            if names[index] == name { return index }
            slot = successor(of: slot)
        }
    }

    private func firstSlot(of name: String) -> Int {
        var digest = FieldDigest(0)
        digest.mix(name)
        return Int(truncatingIfNeeded: digest.value) & (slots.count - 1)
    }

    private func successor(of slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
}
