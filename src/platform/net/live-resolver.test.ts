/**
 * Names that a resolver of the attacker answers, over a socket as any resolver does: every answer leads
 * into the server's own network, in one of the ways in which an answer can, and nothing is connected to.
 */
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpSource, type HttpSource } from '../../../test/support/servers/http-source.ts';
import type { Lookup } from './guarded-agent.ts';
import { createSourceFetch } from './source-fetch.ts';

/** The bytes of the addresses of a name; a second list is what it has from the second question on. */
const zones: Readonly<Record<string, readonly (readonly number[])[]>> = {
  loopback: [[127, 0, 0, 1]],
  other: [[127, 8, 8, 8]],
  everywhere: [[0, 0, 0, 0]],
  private: [[10, 0, 0, 1]],
  cloud: [[169, 254, 169, 254]],
  shared: [[100, 64, 0, 1]],
  broadcast: [[255, 255, 255, 255]],
  mixed: [
    [93, 184, 216, 34],
    [127, 0, 0, 1],
  ],
  late: [...Array.from({ length: 20 }, (_, no) => [93, 184, 216, no]), [192, 168, 0, 1]],
  six: [[...Array<number>(15).fill(0), 1]],
  mapped: [[...Array<number>(10).fill(0), 255, 255, 127, 0, 0, 1]],
  translated: [[0, 0x64, 0xff, 0x9b, ...Array<number>(8).fill(0), 127, 0, 0, 1]],
  tunnel: [[0x20, 2, 127, 0, 0, 1, ...Array<number>(10).fill(0)]],
  unique: [[0xfd, ...Array<number>(14).fill(0), 1]],
  both: [
    [93, 184, 216, 34],
    [...Array<number>(15).fill(0), 1],
  ],
};

let dns: Socket;
let inside: HttpSource;
let net: ReturnType<typeof createSourceFetch>;
let questions = 0;

beforeAll(async () => {
  inside = await startHttpSource((_request, response) => response.end('secret'));
  dns = createSocket('udp4', (question, { port, address }) => {
    questions += 1;
    dns.send(answerTo(question), port, address);
  });
  await new Promise<void>((resolve) => dns.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 5000, tries: 1 });
  resolver.setServers([`127.0.0.1:${dns.address().port}`]);
  const lookup: Lookup = (hostname, _options, callback) =>
    resolver.resolve4(hostname, (noFour, four) =>
      resolver.resolve6(hostname, (noSix, six) =>
        callback(null, [
          ...(noFour ? [] : four).map((address) => ({ address, family: 4 })),
          ...(noSix ? [] : six).map((address) => ({ address, family: 6 })),
        ]),
      ),
    );
  net = createSourceFetch({ allowedHosts: [], version: '1.2.3', lookup });
});

afterAll(async () => {
  await net.close();
  await inside.close();
  dns.close();
});

/** A name of the zones, behind an alias, with a lifetime of 0 seconds. */
function answerTo(question: Buffer): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = question.readUInt16BE(at + 1);
  const size = type === 1 ? 4 : 16;
  const found = (zones[labels[0] ?? ''] ?? []).filter(({ length }) => length === size);
  const alias = Buffer.from('\x05alias\x00', 'latin1');
  const record = (name: Uint8Array, kind: number, data: Uint8Array): Buffer => {
    const head = Buffer.alloc(10);
    head.writeUInt16BE(kind, 0);
    head.writeUInt16BE(1, 2);
    head.writeUInt16BE(data.length, 8);
    return Buffer.concat([name, head, data]);
  };
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found.length + 1, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([
    ...[head, question.subarray(12, at + 5), record(Buffer.from([0xc0, 12]), 5, alias)],
    ...found.map((bytes) => record(alias, type, Uint8Array.from(bytes))),
  ]);
}

describe('a name that a resolver of an attacker answers', () => {
  test.each(Object.keys(zones))('with %s is not connected to', async (name) => {
    const before = questions;
    for (const port of [443, inside.port]) {
      const url = `https://${name}.example:${port}/index.json`;
      const asked = net.fetch({ url, home: url, maxBytes: 1000, timeoutMs: 5000 });
      await expect(asked).rejects.toMatchObject({ code: 'net_refused' });
    }

    // Each connection asks again, and is checked with the answer that it uses.
    expect(questions - before).toBe(4);
    expect(inside.requests).toEqual([]);
  });
});
