/** Many clients of the events in one process, as cheap as they can be; the parent says how many. */
import { connect, type Socket } from 'node:net';

/** What the parent says. */
export type ToClients =
  | { readonly open: { readonly url: string; readonly token: string; readonly each: number } }
  | { readonly tell: true };

/** What it hears: that all listen, and how long each event took to reach each client. */
export type FromClients =
  | { readonly listening: number }
  | { readonly delays: readonly number[]; readonly closed: number };

const stamp = /"type":"library\.updated","timestamp":"([^"]{24})"/g;
let delays: number[] = [];
let closed = 0;

function openOne(url: URL, request: string, onBytes: (socket: Socket) => (part: Buffer) => void) {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    let head = '';
    const read = onBytes(socket);
    const first = (part: Buffer): void => {
      head += part.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', first);
      if (!/^HTTP\/1.1 (200|101) /.test(head)) {
        reject(new Error(head.slice(0, 300)));
        return;
      }
      socket.on('data', read);
      const rest = Buffer.from(head.slice(end + 4), 'latin1');
      if (rest.length > 0) read(rest);
      resolve();
    };
    socket.on('data', first);
    socket.on('error', reject);
    socket.on('close', () => (closed += 1));
    socket.on('connect', () => socket.write(request));
  });
}

/** Notes when the events in a text arrived; gives what may be the beginning of another. */
function note(text: string): string {
  const now = Date.now();
  let end = 0;
  for (const found of text.matchAll(stamp)) {
    delays.push(now - Date.parse(found[1] ?? ''));
    end = found.index + found[0].length;
  }
  return text.slice(Math.max(end, text.length - 200));
}

function onStream(): (part: Buffer) => void {
  let text = '';
  return (part) => {
    text = note(text + part.toString('latin1'));
  };
}

const emptyPong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const [ping, text] = [0x9, 0x1];

function onFrames(socket: Socket): (part: Buffer) => void {
  let bytes: Buffer = Buffer.alloc(0);
  return (part) => {
    bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
    while (bytes.length >= 2) {
      const short = (bytes[1] ?? 0) & 0x7f;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length < head) return;
      const size =
        head === 2 ? short : head === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < head + size) return;
      const kind = (bytes[0] ?? 0) & 0xf;
      if (kind === ping) socket.write(emptyPong);
      if (kind === text) note(bytes.toString('latin1', head, head + size));
      bytes = bytes.subarray(head + size);
    }
  };
}

async function open({ url, token, each }: { url: string; token: string; each: number }) {
  const at = new URL(url);
  const common = `host: ${at.host}\r\nauthorization: Bearer ${token}\r\n`;
  const stream = `GET /api/events HTTP/1.1\r\n${common}\r\n`;
  const socket =
    `GET /api/ws HTTP/1.1\r\n${common}connection: upgrade\r\nupgrade: websocket\r\n` +
    'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  for (let done = 0; done < each; done += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, each - done) }, () => [
        openOne(at, stream, onStream),
        openOne(at, socket, onFrames),
      ]).flat(),
    );
  }
}

process.on('message', (message: ToClients) => {
  if ('open' in message) {
    open(message.open).then(
      () => process.send?.({ listening: message.open.each * 2 }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
    return;
  }
  process.send?.({ delays, closed });
  delays = [];
});
process.on('disconnect', () => process.exit());
