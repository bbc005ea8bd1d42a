import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { whyNotListening } from './listen-failure.ts';

async function failure(host: string, port: number): Promise<unknown> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(port, host);
  const [error] = (await once(server, 'error')) as [unknown];
  return whyNotListening(error, { host, port });
}

test('a port in use and a foreign address are told in a sentence with the setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };

  expect(await failure('127.0.0.1', port)).toMatchObject({
    message: `Port ${port} of 127.0.0.1 is in use by another program: stop it, or choose another port with --port.`,
  });
  expect(await failure('192.0.2.1', 0)).toMatchObject({
    message:
      '192.0.2.1 is not an address of this machine: choose one of its addresses with --host.',
  });
});

test('any other failure stays as it is', () => {
  const error = new Error('out of descriptors');

  expect(whyNotListening(error, { host: '127.0.0.1', port: 1 })).toBe(error);
});
