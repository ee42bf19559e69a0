// zmtp.h: the framing of ZMTP 3, as far as guard.c needs it.
//
//    greeting (64 bytes), then frames: flags, length (1 byte, or 8), body
//    a command is a frame too: READY first, with the properties of the peer; later PING and PONG
//
// A stream starts with all zeros. No function allocates, blocks or fails.
//
// Sources   documented  ZeroMQ RFC 23 (ZMTP 3.0), RFC 37 (ZMTP 3.1: PING and PONG)

#ifndef TOUCHLINE_ZMTP_H
#define TOUCHLINE_ZMTP_H

#include <stddef.h>
#include <stdint.h>

enum { zmtp_greeting_size = 64, zmtp_command_limit = 256, zmtp_header_limit = 9 };

// The parsing state of a stream.
struct zmtp_stream {
    uint32_t greeted;
    uint8_t header[zmtp_header_limit];
    uint32_t header_count;
    uint64_t body_left;
    uint8_t body[zmtp_command_limit];
    uint32_t body_count;
    int is_command, is_ready;
};

// The messages that begin in some bytes. A claimed length counts at most as the limit.
struct zmtp_messages {
    uint64_t length_limit;
    uint64_t bytes;
    uint64_t count;
};

enum zmtp_fault {
    zmtp_no_fault,
    zmtp_malformed,    // not ZMTP 3, an invalid frame, or a command that libzmq would pass on as a message
    zmtp_names_itself, // its READY chooses a routing id
    zmtp_multipart,    // a message of more than one part
};

// Parses the next bytes of a stream that is not encrypted.
enum zmtp_fault zmtp_inspect(struct zmtp_stream *stream, const uint8_t *bytes, size_t count, struct zmtp_messages *messages);

// Parses the next bytes of an encrypted stream: it counts frames and does not inspect them.
void zmtp_measure(struct zmtp_stream *stream, const uint8_t *bytes, size_t count, struct zmtp_messages *messages);

#endif
