/** A device that is revoked loses what it has open, in a whole server: the stream of events ends, the others go on. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { fingerprintOf } from '../../src/people/identity/index.ts';
import {
  openRecord,
  toBase64url,
  bytesToSign,
} from '../../packages/lib/identity-protocol/index.ts';
import { openFakeBroker } from '../support/identity/fake-broker.ts';
import { keyOwner } from '../support/identity/identity-half.ts';
import { ask, textOf, verdictOf } from '../support/identity/ask.ts';
import { openHomeServer, password } from '../support/identity/home-server.ts';
import { createMovingClock } from '../support/identity/moving-clock.ts';

const day = 86_400;

test(
  'a revoked device loses its event stream, and others keep theirs',
  { timeout: 120_000 },
  async () => {
    const clock = createMovingClock();
    const seconds = () => Math.floor(clock.now() / 1000);
    const broker = await openFakeBroker();
    const home = await openHomeServer({ name: 'Attic', identityUrl: broker.url, clock });
    onTestFinished(() => home.stop());
    const ada = await home.join('Ada');
    const [identity, device] = [await keyOwner(), await keyOwner()];
    const of = { userId: 'u_ada', userPubKey: identity.publicKey };

    // Ada links her identity.
    const begun = await home.ask('/api/identity/links', { token: ada.token, body: { password } });
    const { id } = begun.body['link'] as { readonly id: string };
    const asked = openRecord('server-link-request', broker.asked.at(-1))?.record;
    const { baseUrl, name, nonce, serverId } = asked ?? {};
    const grant = {
      ...of,
      baseUrl,
      name,
      nonce,
      serverId,
      kind: 'server-link',
      v: 1,
      iat: seconds(),
    };
    broker.answer = { status: 'completed', grant: await identity.seal(grant) };
    const fingerprint = fingerprintOf(identity.publicKey);
    const confirmed = await home.ask(`/api/identity/links/${id}/confirm`, {
      token: ada.token,
      body: { fingerprint },
    });
    expect(confirmed.status).toBe(200);

    // Her television signs in.
    const clientId = randomUUID();
    const cert = await identity.seal({
      ...{ ...of, appId: 'app_telly', clientId, clientPubKey: device.publicKey, deviceName: 'TV' },
      ...{ iat: seconds(), exp: seconds() + 60 * day, scope: ['servers:*'], v: 1 },
    });
    const session = `${home.url}/api/auth/identity-session`;
    const challenge = textOf(await ask(`${session}/begin`, { body: { cert } }), 'challenge');
    const body = { cert, challenge, serverId: home.serverId, ts: clock.now() };
    const sig = toBase64url(await device.sign(bytesToSign(body)));
    const token = textOf(
      await ask(`${session}/complete`, { body: { ...body, sig } }),
      'sessionToken',
    );

    const listen = async (as: string) => {
      const reply = await fetch(`${home.url}/api/events`, {
        headers: { authorization: `Bearer ${as}`, origin: 'https://telly.example.org' },
      });
      let isOver = false;
      const text = reply.text().then(
        () => (isOver = true),
        () => (isOver = true),
      );
      return { status: reply.status, headers: reply.headers, isOver: () => isOver, over: text };
    };
    const [televisions, adas] = [await listen(token), await listen(ada.token)];
    expect([televisions.status, adas.status]).toEqual([200, 200]);
    expect(televisions.headers.get('access-control-allow-origin')).toBe('*');
    const health = await home.ask('/api/health', { token: '' });
    expect(health.body['identity']).toEqual({ feedAgeSeconds: expect.any(Number) });

    broker.publish(
      await identity.seal({ ...of, kind: 'revocation', v: 1, iat: seconds(), clientId }),
    );
    await clock.advance(6 * 60_000);
    await televisions.over;

    expect(adas.isOver()).toBe(false);
    const told = await home.ask('/api/items', { token });
    expect(verdictOf(told)).toBe('401 identity_revoked');
    expect(told.body['error']).toBe('unauthorized');
  },
);
