/** What a server holds on to, without what is garbage: asked through its inspector. */
import { readFile } from 'node:fs/promises';
import type { TestServer } from '../support/servers/server.ts';

/** Node's options with which a server has an inspector, on a port of its own. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

/** Bytes after a collection. */
export interface HeldBytes {
  /** Of objects, and of buffers outside of the heap. */
  readonly held: number;
  /** Of the process, as the system counts them. */
  readonly resident: number;
}

/** Collects the garbage of a server that was started with `inspected`, and measures what is left. */
export async function collectedBytes(server: TestServer): Promise<HeldBytes> {
  const url = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1];
  if (url === undefined) throw new Error('The server has no inspector.');
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<unknown>();
  socket.onopen = opened.resolve;
  socket.onerror = opened.reject;
  await opened.promise;
  const ask = (id: number, method: string): Promise<Record<string, number>> =>
    new Promise((resolve) => {
      socket.onmessage = ({ data }) => {
        const answer = JSON.parse(String(data)) as { id?: number; result: Record<string, number> };
        if (answer.id === id) resolve(answer.result);
      };
      socket.send(JSON.stringify({ id, method }));
    });
  await ask(1, 'HeapProfiler.collectGarbage');
  await ask(2, 'HeapProfiler.collectGarbage');
  const heap = await ask(3, 'Runtime.getHeapUsage');
  socket.close();
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return {
    held: (heap['usedSize'] ?? 0) + (heap['backingStorageSize'] ?? 0),
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
  };
}
