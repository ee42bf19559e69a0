# apng.py: pictures in order as one animated PNG with 255 colors.
#
#     pictures ─▶ one palette ─▶ what differs from the picture before ─▶ chunks
#
# Input     record_inspect.py: PNG files in memory with their times
# Output    a file; browsers that know no animation show its first picture
# Knows     pixels. No browser.
#
# Sources   documented  PNG specification (third edition), 11.3.6 (APNG)
import io
import struct
import zlib

from PIL import Image, ImageChops

# The color of pixels that stay as they are.
SAME = 255


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def palette_of(pictures):
    """An image with 255 colors of samples of the pictures; rare ones count as much as common ones."""
    samples = pictures[::max(1, len(pictures) // 8)]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for order, picture in enumerate(samples):
        sheet.paste(picture, (0, height * order))
    return sheet.quantize(255, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def rows(image):
    """The bytes of an image for compression: each row after its filter, which is none."""
    width, height = image.size
    data = image.tobytes()
    return b"".join(b"\0" + data[row * width:(row + 1) * width] for row in range(height))


def write(path, frames, hold=1500):
    """Writes the animation, which repeats at its end.

    frames: (time in ms, bytes of a PNG) in order; all have one size. hold: how long the last one is shown, in ms.
    Returns how many pictures differ from the one before.
    """
    times = [time for time, _ in frames] + [frames[-1][0] + hold]
    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for _, data in frames]
    palette = palette_of(pictures)
    shown, before = [], None
    for order, picture in enumerate(pictures):
        colors = picture.quantize(palette=palette, dither=Image.Dither.NONE)
        colors = Image.frombytes("L", colors.size, colors.tobytes())
        duration = round(times[order + 1] - times[order])
        box, piece = (0, 0, *colors.size), colors
        if before is not None:
            difference = ImageChops.difference(colors, before)
            box = difference.getbbox()
            if box is None:
                shown[-1][2] += duration
                continue
            piece = colors.crop(box)
            piece.paste(SAME, mask=difference.crop(box).point(lambda value: 0 if value else 255))
        shown.append([box, piece, duration])
        before = colors
    table = (bytes(palette.getpalette()) + bytes(768))[:SAME * 3] + bytes(3)
    width, height = pictures[0].size
    out = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
           chunk(b"acTL", struct.pack(">II", len(shown), 0)), chunk(b"PLTE", table),
           chunk(b"tRNS", b"\xff" * SAME + b"\0")]
    sequence = 0
    for order, (box, piece, duration) in enumerate(shown):
        left, top, right, bottom = box
        out.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, right - left, bottom - top, left, top,
                                              min(duration, 65535), 1000, 0, 0 if order == 0 else 1)))
        sequence += 1
        data = zlib.compress(rows(piece), 9)
        if order == 0:
            out.append(chunk(b"IDAT", data))
        else:
            out.append(chunk(b"fdAT", struct.pack(">I", sequence) + data))
            sequence += 1
    out.append(chunk(b"IEND", b""))
    with open(path, "wb") as file:
        file.write(b"".join(out))
    return len(shown)
