/** Clients that hold on to their connections do not keep the server from ending in order. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { adminToken, startServer } from '../support/servers/server.ts';

const requests = {
  nothing: '',
  halfRequest: 'GET /api/health HTTP/1.1\r\nhost: x\r\n',
  halfBody:
    'POST /api/libraries HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    `authorization: Bearer ${adminToken}\r\ncontent-length: 100\r\n\r\n{`,
  eventsNeverRead: `GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\n\r\n`,
  webSocketThatNeverAnswers:
    `GET /api/ws HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\n` +
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  webSocketThatNeverSaysWhoItIs:
    'GET /api/ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
    'sec-websocket-protocol: vitrine.v1\r\nsec-websocket-version: 13\r\n' +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  answersNeverRead: 'GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(300),
};

test('the server ends well before its last resort of 10 s while clients say nothing, or half', async () => {
  const server = await startServer();
  onTestFinished(server.kill);
  const stranger = new WebSocket(`${server.url.replace('http', 'ws')}/api/ws`, 'vitrine.v1');
  const farewell = new Promise((resolve) => stranger.on('close', resolve));
  await once(stranger, 'open');
  for (const request of Object.values(requests)) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(request);
  }
  await server.get('/api/health');

  const from = performance.now();
  const code = await server.stop();

  expect(code).toBe(0);
  expect(performance.now() - from).toBeLessThan(9000);
  expect(await farewell).toBe(1001);
});
