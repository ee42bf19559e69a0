// zmtp.c: the framing of ZMTP 3.

#include "zmtp.h"

#include <string.h>
#include <strings.h>

enum { flag_more = 1, flag_long = 2, flag_command = 4 };

static int begins_with(const struct zmtp_stream *stream, const char *name) {
    uint32_t length = (uint32_t)strlen(name);
    return stream->body_count > length && stream->body[0] == length && memcmp(stream->body + 1, name, length) == 0;
}

// Whether the properties of a READY contain a routing id; -1 for malformed properties.
static int names_itself(const uint8_t *body, uint32_t count) {
    uint32_t at = 6; // after the command's own name
    while (at < count) {
        uint32_t name = body[at++];
        if (name == 0 || count - at < name + 4) return -1;
        const uint8_t *text = body + at;
        at += name;
        uint32_t value = (uint32_t)body[at] << 24 | (uint32_t)body[at + 1] << 16 | (uint32_t)body[at + 2] << 8 | body[at + 3];
        at += 4;
        if (count - at < value) return -1;
        if (name == 8 && strncasecmp((const char *)text, "Identity", 8) == 0 && value > 0) return 1;
        at += value;
    }
    return 0;
}

static enum zmtp_fault end_command(struct zmtp_stream *stream) {
    if (stream->is_ready)
        return begins_with(stream, "PING") || begins_with(stream, "PONG") ? zmtp_no_fault : zmtp_malformed;
    if (!begins_with(stream, "READY")) return zmtp_malformed;
    stream->is_ready = 1;
    int named = names_itself(stream->body, stream->body_count);
    return named < 0 ? zmtp_malformed : named ? zmtp_names_itself : zmtp_no_fault;
}

static enum zmtp_fault greet(struct zmtp_stream *stream, uint8_t byte) {
    uint32_t at = stream->greeted++;
    int is_right = 1;
    if (at == 0) is_right = byte == 0xff;
    if (at == 9) is_right = byte & 1;
    // Before ZMTP 3, a peer sends its routing id in a separate message.
    if (at == 10) is_right = byte >= 3;
    return is_right ? zmtp_no_fault : zmtp_malformed;
}

static void add(struct zmtp_messages *messages, uint64_t length) {
    messages->bytes += length < messages->length_limit ? length : messages->length_limit;
    messages->count++;
}

// Adds one byte to a header. 1 if the header is complete, and then its length.
static int take_header(struct zmtp_stream *stream, uint8_t byte, uint64_t *length) {
    stream->header[stream->header_count++] = byte;
    uint32_t whole = stream->header[0] & flag_long ? 9 : 2;
    if (stream->header_count < whole) return 0;
    *length = 0;
    for (uint32_t i = 1; i < whole; i++) *length = *length << 8 | stream->header[i];
    stream->header_count = 0;
    stream->body_left = *length;
    return 1;
}

// Begins a frame; its header is complete.
static enum zmtp_fault begin_frame(struct zmtp_stream *stream, uint64_t length, struct zmtp_messages *messages) {
    uint8_t flags = stream->header[0];
    if (flags & ~(flag_more | flag_long | flag_command)) return zmtp_malformed;
    stream->is_command = (flags & flag_command) != 0;
    stream->body_count = 0;
    if (stream->is_command) {
        if (flags & flag_more || length > zmtp_command_limit) return zmtp_malformed;
        return length == 0 ? end_command(stream) : zmtp_no_fault;
    }
    if (!stream->is_ready) return zmtp_malformed;
    if (flags & flag_more) return zmtp_multipart;
    add(messages, length);
    return zmtp_no_fault;
}

enum zmtp_fault zmtp_inspect(
    struct zmtp_stream *stream, const uint8_t *bytes, size_t count, struct zmtp_messages *messages) {
    for (size_t i = 0; i < count;) {
        enum zmtp_fault fault = zmtp_no_fault;
        if (stream->greeted < zmtp_greeting_size) {
            fault = greet(stream, bytes[i++]);
        } else if (stream->body_left > 0) {
            size_t part = stream->body_left < count - i ? (size_t)stream->body_left : count - i;
            if (stream->is_command) {
                memcpy(stream->body + stream->body_count, bytes + i, part);
                stream->body_count += (uint32_t)part;
            }
            stream->body_left -= part;
            i += part;
            if (stream->body_left == 0 && stream->is_command) fault = end_command(stream);
        } else {
            uint64_t length;
            if (take_header(stream, bytes[i++], &length)) fault = begin_frame(stream, length, messages);
        }
        if (fault != zmtp_no_fault) return fault;
    }
    return zmtp_no_fault;
}

void zmtp_measure(struct zmtp_stream *stream, const uint8_t *bytes, size_t count, struct zmtp_messages *messages) {
    for (size_t i = 0; i < count;) {
        if (stream->greeted < zmtp_greeting_size) {
            stream->greeted++;
            i++;
        } else if (stream->body_left > 0) {
            size_t part = stream->body_left < count - i ? (size_t)stream->body_left : count - i;
            stream->body_left -= part;
            i += part;
        } else {
            uint64_t length;
            if (take_header(stream, bytes[i++], &length)) add(messages, length);
        }
    }
}
