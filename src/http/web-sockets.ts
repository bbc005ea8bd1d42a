import type { WebSocket, WebSocketServer } from 'ws';
import type { FeedSocket } from '../viewing/live-events/index.ts';
import { eventsProtocol } from './socket-credentials.ts';
import type { SocketUpgrade } from './socket-upgrades.ts';

/** Messages of clients are small; larger ones are refused. */
const largestMessageBytes = 16 * 1024;

/** A WebSocket, and how the feed writes to it. */
export interface OpenSocket {
  readonly webSocket: WebSocket;
  readonly socket: FeedSocket;
  /** Calls `run` whenever the client has read what was buffered. */
  readonly onDrain: (run: () => void) => void;
}

/** Turns requests into WebSockets. */
export type WebSockets = ReturnType<typeof createWebSockets>;

/** Creates it; the package `ws` is loaded with the first client. */
export function createWebSockets() {
  let server: WebSocketServer | null = null;

  async function speaker(): Promise<WebSocketServer> {
    const { WebSocketServer: Server } = await import('ws');
    server ??= new Server({
      noServer: true,
      clientTracking: false,
      // Compression would cost memory and time per client, while a frame is made once for all.
      perMessageDeflate: false,
      maxPayload: largestMessageBytes,
      // Pings count as messages, and the code that counts them answers them.
      autoPong: false,
      handleProtocols: (offered) => offered.has(eventsProtocol) && eventsProtocol,
    });
    return server;
  }

  return {
    /** Answers the handshake; `opened` is not called when the handshake is invalid. */
    open: async (upgrade: SocketUpgrade, opened: (open: OpenSocket) => void): Promise<void> => {
      const { request, socket, head, takeOver } = upgrade;
      const ready = await speaker();
      takeOver();
      ready.handleUpgrade(request, socket, head, (webSocket) => {
        // `ws` closes the connection with the right code.
        webSocket.on('error', () => undefined);
        const onDrain = (run: () => void): void => void socket.on('drain', run);
        opened({ webSocket, socket: feedSocketOf(webSocket, socket), onDrain });
      });
    },
  };
}

/**
 * The feed makes a frame once and writes it to every client directly, since `ws` would make one per
 * client. Both write whole frames only, so frames do not mix.
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
