/**
 * The plugin host as it is, with a stranger in its realm who tries what reaches beyond it as soon as a
 * plugin has started, and tells with the plugin's own log. Built into one file by the suite.
 */
import { Buffer } from 'node:buffer';
import { writeSync } from 'node:fs';
import '../../kernel/run/sandbox/host-process.ts';

declare const serverPid: number;
declare const serverPort: number;

const builtIn = (id: string): Record<string, (...input: unknown[]) => unknown> =>
  process.getBuiltinModule(id) as never;
const own = process as unknown as Record<string, (...input: unknown[]) => unknown>;

const attempts: Readonly<Record<string, () => unknown>> = {
  'process.kill': () => own['kill']?.(serverPid, 'SIGKILL') ?? missing(),
  'process._kill': () => own['_kill']?.(serverPid, 9) ?? missing(),
  'process.binding': () => own['binding']?.('tcp_wrap') ?? missing(),
  'process.dlopen': () => own['dlopen']?.({ exports: {} }, process.argv[2]) ?? missing(),
  'process.execve': () => own['execve']?.('/bin/sh', ['sh']) ?? missing(),
  'process._getActiveHandles': () => own['_getActiveHandles']?.() ?? missing(),
  'os.setPriority': () => builtIn('os')['setPriority']?.(serverPid, 19) ?? missing(),
  'net.connect': () => builtIn('net')['connect']?.(serverPort, '127.0.0.1') ?? missing(),
  'net.createServer': () => builtIn('net')['createServer']?.() ?? missing(),
  'net.Socket': () => builtIn('net')['Socket'] ?? missing(),
  'dgram.createSocket': () => builtIn('dgram')['createSocket']?.('udp4') ?? missing(),
  'dns.resolve': () => builtIn('dns')['resolve']?.('example.org', () => undefined) ?? missing(),
  'http.get': () => builtIn('http')['get']?.(`http://127.0.0.1:${serverPort}`),
  'tls.connect': () => builtIn('tls')['connect']?.(serverPort),
  fetch: () => (globalThis as { fetch?: typeof fetch }).fetch ?? missing(),
  WebSocket: () => (globalThis as { WebSocket?: unknown }).WebSocket ?? missing(),
  'child_process.spawn': () => builtIn('child_process')['spawnSync']?.('id'),
  'worker_threads.Worker': () =>
    new (process.getBuiltinModule('worker_threads').Worker)('', { eval: true }),
};

function missing(): never {
  throw new Error('missing');
}

const worked = Object.entries(attempts).flatMap(([name, attempt]) => {
  try {
    attempt();
    return [name];
  } catch {
    return [];
  }
});

function tell(): void {
  const text = `worked: ${worked.join(', ') || 'nothing'}`;
  const header = Buffer.from(JSON.stringify([{ kind: 'log', sandbox: 1, level: 'info', text }]));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(4 + header.length, 0);
  lengths.writeUInt32LE(header.length, 4);
  writeSync(3, Buffer.concat([lengths, header]));
}

setTimeout(tell, 1000);
