// PNGFile.swift: pixels as a PNG file.
//
//     signature │ IHDR │ IDAT: zlib of the rows, each after the byte of its filter │ IEND
//
// Input     ScreenshotCommand
// Knows     chunks and their checksums. zlib packs the rows.
//
// Sources   documented  RFC 2083, sections 3 to 6: chunks, color type 2, filter 2 (the difference to the row above)

import CZlib
import Inspection

/// The encoder of PNG files.
enum PNGFile {
    /// Returns a file of 8 bits for red, green and blue.
    static func bytes(of bitmap: Bitmap) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = bigEndian(bitmap.width) + bigEndian(bitmap.height) + [8, 2, 0, 0, 0]
        append("IHDR", header, to: &file)
        append("IDAT", packed(filteredRows(of: bitmap)), to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func filteredRows(of bitmap: Bitmap) -> [UInt8] {
        let length = bitmap.width * 3
        var rows: [UInt8] = []
        rows.reserveCapacity((length + 1) * bitmap.height)
        bitmap.bytes.withUnsafeBufferPointer { pixels in
            for row in 0..<bitmap.height {
                rows.append(2)
                for index in (row * length)..<((row + 1) * length) {
                    rows.append(pixels[index] &- (row > 0 ? pixels[index - length] : 0))
                }
            }
        }
        return rows
    }

    private static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        var out = [UInt8](repeating: 0, count: Int(size))
        let result = compress2(&out, &size, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        precondition(result == Z_OK, "zlib could not pack \(bytes.count) bytes: \(result)")
        return Array(out.prefix(Int(size)))
    }

    private static func append(_ name: String, _ content: [UInt8], to file: inout [UInt8]) {
        let typed = Array(name.utf8) + content
        file += bigEndian(content.count) + typed
        file += bigEndian(Int(crc32(0, typed, uInt(typed.count))))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
