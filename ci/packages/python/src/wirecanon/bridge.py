"""The testee that wirecanon starts: it hands every line on to the process that has the function, and back.

WIRECANON_BRIDGE is the path of a Unix socket in a folder that only its owner can enter. Standard library alone.
"""

import os
import socket
import sys
import threading


def main() -> None:
    way = socket.socket(socket.AF_UNIX)
    way.connect(os.environ["WIRECANON_BRIDGE"])

    def there() -> None:
        while chunk := os.read(0, 1 << 16):
            way.sendall(chunk)
        way.shutdown(socket.SHUT_WR)

    threading.Thread(target=there, daemon=True).start()
    while chunk := way.recv(1 << 16):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
