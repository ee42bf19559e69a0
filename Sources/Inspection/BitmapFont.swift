// BitmapFont.swift: letters of five by seven dots, drawn for this project.
//
// A PNG file needs text where no font is installed. Letters with a descender have an eighth row. The letters of other
// alphabets are boxes; SVG has them all.
//
// Input     Bitmap
// Knows     the printable characters of ASCII
//
// Sources   invented

/// The dots of characters.
enum BitmapFont {
    /// Dots from one character to the next.
    static let advance = 6

    /// The columns of a character from left to right; bit 0 is the top dot.
    static func columns(of scalar: Unicode.Scalar) -> [UInt8] {
        let index = Int(scalar.value) - 32
        guard glyphs.indices.contains(index) else { return replaced(scalar) }
        let bits = glyphs[index]
        return (0..<5).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64(4 - $0))) }
    }

    /// A similar character of ASCII, or a box.
    private static func replaced(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "\u{2212}", "\u{2013}", "\u{2014}": columns(of: "-")
        case "\u{D7}": columns(of: "x")
        case "\u{2019}", "\u{2018}": columns(of: "'")
        case "\u{201C}", "\u{201D}": columns(of: "\"")
        case "\u{2026}": [0x40, 0, 0x40, 0, 0x40]
        case "\u{B7}", "\u{2022}": [0, 0, 0x08, 0, 0]
        case "\u{A0}": columns(of: " ")
        default: [0x7F, 0x41, 0x41, 0x41, 0x7F]
        }
    }

    /// From the space to the tilde: five columns of eight bits each, the left one first.
    private static let glyphs: [UInt64] = [
        0x0000000000, 0x00005F0000, 0x0007000700, 0x147F147F14, 0x242A7F2A12, 0x2313086462, 0x3649552250, 0x0000070000,
        0x001C224100, 0x0041221C00, 0x14083E0814, 0x08083E0808, 0x0090700000, 0x0808080808, 0x0060600000, 0x2010080402,
        0x3E5149453E, 0x00427F4000, 0x4261514946, 0x2141454B31, 0x1814127F10, 0x2745454539, 0x3C4A494930, 0x0171090503,
        0x3649494936, 0x064949291E, 0x0036360000, 0x0096760000, 0x0814224100, 0x1414141414, 0x0041221408, 0x0201510906,
        0x3E415D551E, 0x7E1111117E, 0x7F49494936, 0x3E41414122, 0x7F4141221C, 0x7F49494941, 0x7F09090901, 0x3E4149497A,
        0x7F0808087F, 0x00417F4100, 0x2040413F01, 0x7F08142241, 0x7F40404040, 0x7F020C027F, 0x7F0408107F, 0x3E4141413E,
        0x7F09090906, 0x3E4151215E, 0x7F09192946, 0x4649494931, 0x01017F0101, 0x3F4040403F, 0x1F2040201F, 0x3F4038403F,
        0x6314081463, 0x0708700807, 0x6151494543, 0x007F414100, 0x0204081020, 0x0041417F00, 0x0402010204, 0x4040404040,
        0x0001020400, 0x2054545478, 0x7F48444438, 0x3844444420, 0x384444487F, 0x3854545418, 0x087E090102, 0x18A4A4A47C,
        0x7F08040478, 0x00447D4000, 0x4080847D00, 0x7F10284400, 0x00417F4000, 0x7C04180478, 0x7C08040478, 0x3844444438,
        0xFC24242418, 0x18242424FC, 0x7C08040408, 0x4854545420, 0x043F444020, 0x3C4040207C, 0x1C2040201C, 0x3C4030403C,
        0x4428102844, 0x1CA0A0A07C, 0x4464544C44, 0x0008364100, 0x00007F0000, 0x0041360800, 0x0804081008,
    ]
}
