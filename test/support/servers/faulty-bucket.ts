/** A real S3 server (s3rver) behind a front that is away, slow or full when a test says so. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

export type BucketFault = 'none' | 'away' | 'slow' | 'full';

export interface FaultyBucket {
  /** The flags of a server that uses it, and what its environment needs. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly fail: (how: BucketFault) => void;
  readonly close: () => Promise<void>;
}

export async function openFaultyBucket(): Promise<FaultyBucket> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-bucket-'));
  const s3 = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder },
    configureBuckets: [{ name: 'media' }],
  });
  const { port } = await s3.run();
  let how: BucketFault = 'none';
  const front = createServer((asked, reply) => {
    if (how === 'away') return void asked.socket.destroy();
    if (how === 'slow') return;
    if (how === 'full' && asked.method === 'PUT') return void reply.writeHead(507).end();
    const { url = '/', method = 'GET', headers } = asked;
    const passed = request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const { port: shown } = front.address() as AddressInfo;
  return {
    flags: ['--blobs', 's3://media/house', '--blobs-endpoint', `http://127.0.0.1:${shown}`],
    // The only key that s3rver knows.
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    fail: (next) => void (how = next),
    close: async () => {
      front.closeAllConnections();
      front.close();
      await s3.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
