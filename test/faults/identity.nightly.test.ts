/** What goes wrong around an identity: restarts, a broker that is gone, talks nonsense, or lost its memory. */
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { good, textOf, verdictOf } from '../support/identity/ask.ts';
import {
  openIdentityHousehold,
  type IdentityHousehold,
  type PairedDevice,
} from '../support/identity/household.ts';

let house: IdentityHousehold;
let living: PairedDevice;

const minuteMs = 60_000;

beforeAll(async () => {
  house = await openIdentityHousehold();
  living = await house.pair();
});

afterAll(() => house?.stop());

beforeEach(async () => {
  await house.clock.advance(11 * minuteMs);
  good(await house.ada.signIn());
});

/** A device that is revoked, as far as the broker knows. */
async function revokedDevice(): Promise<PairedDevice> {
  const paired = await house.pair();
  good(await house.ada.revoke(paired.clientId));
  return paired;
}

const isRefused = async ({ device, cert }: PairedDevice): Promise<boolean> =>
  verdictOf(await device.begin(house.attic, cert)) === '401 identity_revoked';

/** Asking counts against the limit of the address; a minute later it is free again. */
async function heardOf(lost: PairedDevice): Promise<void> {
  await eventually('the server has heard', () => isRefused(lost));
  await house.clock.advance(minuteMs);
}

/** Two hours on, so that every wait of a reader that had failed is over. */
const laterOn = (): Promise<void> => house.clock.advance(120 * minuteMs);

describe('a server that starts again while the broker is down', () => {
  test('knows who is revoked, keeps the sessions that there are, and lets others in', async () => {
    const { attic, broker } = house;
    const lost = await revokedDevice();
    await house.feedInterval();
    await heardOf(lost);
    const { device, cert } = living;
    const token = await device.signIn(attic, cert);
    const challenge = textOf(await device.begin(attic, cert), 'challenge');

    await broker.pause();
    try {
      await attic.restart();

      expect(await isRefused(lost)).toBe(true);
      expect((await attic.ask('/api/auth/identity/me', { token })).status).toBe(200);
      // Challenges are in memory alone: an app just begins again.
      const old = await device.complete(attic, cert, { challenge });
      expect(verdictOf(old)).toBe('401 challenge_invalid');
      expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
    } finally {
      await broker.resume();
    }
  });
});

describe('a broker that talks nonsense', () => {
  const nonsense: Readonly<Record<string, RequestListener>> = {
    'a page of its proxy': (_, reply) => reply.writeHead(200).end('<html>Bad gateway</html>'),
    'an error': (_, reply) => reply.writeHead(500).end('{"error":"internal"}'),
    'another place': (_, reply) => reply.writeHead(302, { location: '/elsewhere' }).end(),
    'a feed that goes back': (_, reply) =>
      reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"epoch":"x","records":[],"next":-1,"more":true}'),
    'a feed that does not end': (_, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.end(`{"epoch":"x","records":[${' '.repeat(4 * 1024 * 1024)}],"next":1,"more":false}`);
    },
  };

  test('stops no session, and is trusted again when its answers are valid', async () => {
    const { attic, broker } = house;
    const { device, cert } = living;
    const lost = await revokedDevice();
    await broker.pause();
    const { port } = new URL(broker.identityUrl);
    for (const [what, answer] of Object.entries(nonsense)) {
      let asked = 0;
      const liar = createServer((request, reply) => {
        asked += 1;
        answer(request, reply);
      });
      await new Promise<void>((resolve) => liar.listen(Number(port), '127.0.0.1', resolve));
      await laterOn();
      await eventually(`the server has met ${what}`, () => asked > 0);
      liar.closeAllConnections();
      await new Promise((resolve) => liar.close(resolve));

      expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
    }
    await broker.resume();

    await laterOn();
    await heardOf(lost);
    expect(await device.signIn(attic, cert)).toMatch(/^vti_/);
  });
});

describe('a broker whose database is put back from a backup', () => {
  test('begins a new epoch: servers keep what they had heard, and hear what comes', async ({
    skip,
  }) => {
    const { ada, broker } = house;
    skip(!broker.isFile, 'A file is copied here.');
    const later = await house.pair();
    await broker.pause();
    broker.backup();
    await broker.resume();
    const forgotten = await revokedDevice();
    await house.feedInterval();
    await heardOf(forgotten);
    const epochOf = async (): Promise<unknown> => {
      const reply = await fetch(`${broker.identityUrl}/api/identity/revocations`);
      return ((await reply.json()) as { readonly epoch: unknown }).epoch;
    };
    const before = await epochOf();

    await broker.pause();
    broker.restore();
    await broker.resume();

    expect(await epochOf()).not.toBe(before);
    good(await ada.signIn());
    good(await ada.revoke(later.clientId));
    await laterOn();
    await heardOf(later);
    expect(await isRefused(forgotten)).toBe(true);
    expect(await living.device.signIn(house.attic, living.cert)).toMatch(/^vti_/);
  });
});
