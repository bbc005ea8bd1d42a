import type { IncomingMessage } from 'node:http';

/** The most that is read of a body that is refused. */
const mostBytes = 32 * 1024 ** 2;
/** How long a client may take to send it. */
const mostMilliseconds = 5000;

/**
 * Reads and discards the rest of a body that is too large, within limits. A client that is cut off
 * while it sends may never read the reply (RFC 9112, section 9.6).
 */
export function discardExcess(request: IncomingMessage): Promise<void> {
  if (request.complete || Number(request.headers['content-length'] ?? 0) > mostBytes)
    return Promise.resolve();
  return new Promise((resolve) => {
    let left = mostBytes;
    const timer = setTimeout(finish, mostMilliseconds);
    function finish(): void {
      clearTimeout(timer);
      request.off('data', discard).off('end', finish).off('close', finish);
      request.pause();
      resolve();
    }
    function discard({ length }: Buffer): void {
      left -= length;
      if (left <= 0) finish();
    }
    request.on('data', discard).once('end', finish).once('close', finish).resume();
  });
}
