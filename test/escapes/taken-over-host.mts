/**
 * A plugin-host process in the hands of an attacker: it speaks the channel's outer form and nothing
 * else of it, and what a test passes as a plugin's script runs in the process itself, with `send`
 * (frames), `raw` (bytes), `end` (ends the process when all is written) and `frame` (what came in
 * last). Stands alone, since it may read only itself.
 */
import { Socket } from 'node:net';

type Frame = Record<string, unknown>;

const toKernel = new Socket({ fd: 3, readable: false, writable: true });
const fromKernel = new Socket({ fd: 4, readable: true, writable: false });
fromKernel.on('end', kill);
let script:
  | ((frame: Frame, send: typeof send_, raw: typeof raw_, end: typeof end_) => void)
  | undefined;
let received = Buffer.alloc(0);

/** Behind Landlock it may signal its own group alone. */
function kill(): void {
  try {
    process.kill(process.pid, 'SIGKILL');
  } catch {
    process.kill(0, 'SIGKILL');
  }
}

function end_(): void {
  toKernel.write('', kill);
}

function raw_(bytes: Uint8Array): void {
  toKernel.write(bytes);
}

function send_(...frames: unknown[]): void {
  const header = Buffer.from(JSON.stringify(frames));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + header.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  raw_(Buffer.concat([lengths, header]));
}

fromKernel.on('data', (chunk: Buffer) => {
  received = Buffer.concat([received, chunk]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32LE(0)) {
    const end = 4 + received.readUInt32LE(0);
    const headerEnd = 8 + received.readUInt32LE(4);
    const frames = JSON.parse(received.toString('utf8', 8, headerEnd)) as Frame[];
    let offset = headerEnd;
    for (const frame of frames) {
      const length = Number(frame['body'] ?? 0);
      const text = received.toString('utf8', offset, offset + Math.max(0, length));
      offset += length < 0 ? -1 - length : length;
      handle(frame, text);
    }
    received = received.subarray(end);
  }
});

function handle(frame: Frame, text: string): void {
  if (frame['kind'] === 'boot') send_({ kind: 'ready' });
  if (frame['kind'] === 'boot' && frame['selfTest'] === true) {
    send_({ kind: 'self-tested', passed: true });
  }
  if (frame['kind'] === 'start') {
    // oxlint-disable-next-line typescript/no-implied-eval -- the attacker's own code in its own process
    script = new Function('frame', 'send', 'raw', 'end', text) as typeof script;
    send_({ kind: 'started', sandbox: frame['sandbox'] });
  }
  if (frame['kind'] !== 'start' && frame['kind'] !== 'boot') script?.(frame, send_, raw_, end_);
}
