/**
 * The way of servers that start a process for each viewer: a playlist of equal segments, and
 * `ffmpeg -c copy` from the wanted segment on. What players see of it is held against ours.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, watch, type FSWatcher } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

const segmentSeconds = 6;

/** A server of one film. */
export interface CopyingServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export async function startCopying(file: string, seconds: number): Promise<CopyingServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-copying-'));
  const count = Math.ceil(seconds / segmentSeconds);
  const place = (n: number): string => path.join(folder, `${n}.ts`);
  const watchers = new Set<FSWatcher>();
  let running: { readonly child: ChildProcess; readonly from: number } | null = null;

  function begin(from: number): void {
    running?.child.kill('SIGKILL');
    const child = spawn('ffmpeg', [
      ...['-v', 'error', '-nostdin', '-ss', String(from * segmentSeconds), '-i', file],
      ...['-c', 'copy', '-copyts', '-f', 'hls', '-hls_time', String(segmentSeconds)],
      ...['-hls_list_size', '0', '-hls_flags', 'temp_file', '-start_number', String(from)],
      ...['-hls_segment_filename', path.join(folder, '%d.ts'), path.join(folder, 'list.m3u8')],
    ]);
    running = { child, from };
  }

  /** Resolves when the segment is there. */
  const made = (n: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): boolean => {
        if (!existsSync(place(n))) return false;
        watcher.close();
        watchers.delete(watcher);
        resolve();
        return true;
      };
      const watcher = watch(folder, look);
      watchers.add(watcher);
      if (look()) return;
      if (running === null || n < running.from || n > running.from + 4) begin(n);
    });

  async function answer(name: string, reply: ServerResponse): Promise<void> {
    reply.setHeader('access-control-allow-origin', '*');
    if (name.endsWith('.m3u8')) {
      const lines = Array.from({ length: count }, (_, n) => {
        const length = Math.min(segmentSeconds, seconds - n * segmentSeconds);
        return `#EXTINF:${length.toFixed(3)},\n${n}.ts`;
      });
      const head = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:${segmentSeconds}`;
      reply.end(`${head}\n#EXT-X-PLAYLIST-TYPE:VOD\n${lines.join('\n')}\n#EXT-X-ENDLIST\n`);
      return;
    }
    const n = Number.parseInt(name, 10);
    await made(n);
    reply.end(await readFile(place(n)));
  }

  const server = createServer((request, reply) => {
    answer(path.basename(request.url ?? ''), reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/film.m3u8`,
    stop: async () => {
      running?.child.kill('SIGKILL');
      // What waits for a segment that never comes would keep the process.
      for (const watcher of watchers) watcher.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
