import type { WebSocket, WebSocketServer } from 'ws';
import type { FeedSocket } from '../event-feed/index.ts';
import { eventsProtocol } from './socket-credentials.ts';
import type { SocketUpgrade } from './socket-upgrades.ts';

/** A client says little: what is larger is no message of one. */
const largestMessageBytes = 16 * 1024;

/** A WebSocket, and how the feed writes to it. */
export interface OpenSocket {
  readonly webSocket: WebSocket;
  readonly socket: FeedSocket;
  /** Calls it whenever the client has taken what was waiting for it. */
  readonly onDrain: (run: () => void) => void;
}

/** Turns requests into WebSockets. */
export interface WebSockets {
  /** Answers the handshake; `opened` is not called when the client got it wrong. */
  readonly open: (upgrade: SocketUpgrade, opened: (open: OpenSocket) => void) => Promise<void>;
}

/** Creates it; what speaks the protocol is loaded when the first client comes. */
export function createWebSockets(): WebSockets {
  let server: WebSocketServer | null = null;

  async function speaker(): Promise<WebSocketServer> {
    const { WebSocketServer: Server } = await import('ws');
    server ??= new Server({
      noServer: true,
      clientTracking: false,
      // Compression would cost memory and time for each client, where a frame is made once for all.
      perMessageDeflate: false,
      maxPayload: largestMessageBytes,
      // Pings count as messages, and are answered by whoever counts them.
      autoPong: false,
      handleProtocols: (offered) => offered.has(eventsProtocol) && eventsProtocol,
    });
    return server;
  }

  return {
    open: async (upgrade, opened) => {
      const { request, socket, head, takeOver } = upgrade;
      const ready = await speaker();
      takeOver();
      ready.handleUpgrade(request, socket, head, (webSocket) => {
        // What breaks the protocol is closed with the code for it; there is nothing more to do.
        webSocket.on('error', () => undefined);
        const onDrain = (run: () => void): void => void socket.on('drain', run);
        opened({ webSocket, socket: feedSocketOf(webSocket, socket), onDrain });
      });
    },
  };
}

/**
 * The feed makes a frame once and writes it to every client, past the part of `ws` that would make
 * one for each. Both write whole frames only, so they never come between each other's.
 */
const feedSocketOf = (webSocket: WebSocket, socket: SocketUpgrade['socket']): FeedSocket => ({
  write: (frame) => socket.write(frame),
  together: (work) => {
    socket.cork();
    try {
      work();
    } finally {
      socket.uncork();
    }
  },
  isFull: () => socket.writableNeedDrain,
  ping: () => webSocket.ping(),
  close: (code, reason) => webSocket.close(code, reason),
  cut: () => webSocket.terminate(),
});
