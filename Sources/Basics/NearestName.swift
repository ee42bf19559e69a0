/// Finds the known name that a misspelt word probably means: the one with the fewest edits, and the earlier one of equals.
///
/// - Returns: Nil if every name needs more edits than half the word's length.
public func nearestName(to word: String, among known: [String]) -> String? {
    var best: (name: String, distance: Int)?
    let length = word.utf8.count
    // The difference of the lengths is a lower bound of the edits, so that a word of a megabyte is never compared.
    for name in known where abs(name.utf8.count - length) * 2 <= max(length, 2) {
        let distance = editDistance(Array(word.utf8), Array(name.utf8))
        if distance < best?.distance ?? .max { best = (name, distance) }
    }
    guard let best, best.distance * 2 <= max(length, 2) else { return nil }
    return best.name
}

/// Counts the characters that were replaced, inserted, deleted, or swapped with their neighbor. ASCII case is ignored.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    let (a, b) = (a.map(folded), b.map(folded))
    var rowBefore: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
        var next = [i + 1]
        for j in b.indices {
            var distance = min(row[j] + (a[i] == b[j] ? 0 : 1), next[j] + 1, row[j + 1] + 1)
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, rowBefore[j - 1] + 1) }
            next.append(distance)
        }
        (rowBefore, row) = (row, next)
    }
    return row[b.count]
}
