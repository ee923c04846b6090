"""The frames that the supervisor and the host speak: the host side is `frame.rs` of the sandbox crate.

A frame is two big-endian 32-bit lengths, that many bytes of JSON, that many bytes of raw body. Commands come
in on file descriptor 0, events go out on file descriptor 1.
"""

import json
import os
import struct

HOST_IN, HOST_OUT = 0, 1
HEADER = struct.Struct(">II")


class HostGone(Exception):
    """The host closed the connection."""


def read_exactly(fd, count):
    parts = []
    while count:
        part = os.read(fd, min(count, 1 << 20))
        if not part:
            raise HostGone
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive():
    json_length, body_length = HEADER.unpack(read_exactly(HOST_IN, HEADER.size))
    return json.loads(read_exactly(HOST_IN, json_length)), read_exactly(HOST_IN, body_length)


def send(event, body=b""):
    # Python's texts may hold half of a pair of surrogates, which no other reader of JSON takes.
    text = json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")
    data = memoryview(HEADER.pack(len(text), len(body)) + text + body)
    while data:
        data = data[os.write(HOST_OUT, data) :]
