/** With any reply of a broker or a server, an app accepts only data that the user's key signed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientId } from '../../../test/support/identity-fakes/fake-broker.ts';
import { createPerson } from '../../../test/support/identity-fakes/person.ts';
import {
  createClient,
  createMemoryKeyStore,
  createMemoryStore,
  IdentityError,
  systemClock,
} from './index.ts';
import { checkPass, checkServerList } from './pass-check.ts';
import { rounds } from '../../../test/support/run/nightly.ts';

const server = {
  serverId: 'ab'.repeat(32),
  baseUrl: 'https://media.example.org',
  name: 'Home',
  linkedAt: 1_795_000_000_000,
};

async function signedThings() {
  const person = await createPerson('1');
  const clientPubKey = (await createPerson('3')).userPubKey;
  const owner = { appId: 'app_example', clientPubKey };
  const cert = await person.pass({ ...owner, clientId, iat: 1_795_000_000 });
  const serverList = await person.list({ clientId, iat: 1_795_000_000, servers: [server] });
  return { owner, cert, serverList };
}

/** Changes, removes or doubles one character of a text. */
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('swap', 'drop', 'double', 'pad'),
  by: fc.constantFrom(...Array.from('ABCXYZabcxyz0189-_+/= ')),
});

function changed(text: string, { at, how, by }: { at: number; how: string; by: string }): string {
  const place = at % text.length;
  const [before, here, after] = [text.slice(0, place), text.charAt(place), text.slice(place + 1)];
  if (how === 'swap') return before + by + after;
  if (how === 'drop') return before + after;
  return how === 'double' ? before + here + here + after : `${text}${by}`;
}

describe('a change', () => {
  test('of one character of a pass or of a list is refused', async () => {
    const { owner, cert, serverList } = await signedThings();
    const { claims } = await checkPass(cert, owner);
    await fc.assert(
      fc.asyncProperty(
        change,
        fc.constantFrom('cert', 'serverList'),
        fc.constantFrom('payload', 'sig'),
        async (by, which, part) => {
          const whole = which === 'cert' ? cert : serverList;
          const other = { ...whole, [part]: changed(whole[part as 'sig'], by) };
          if (other[part as 'sig'] === whole[part as 'sig']) return;
          const check =
            which === 'cert'
              ? checkPass(other, owner)
              : checkServerList({ serverList: other }, claims);
          await expect(check).rejects.toBeInstanceOf(IdentityError);
        },
      ),
      { numRuns: rounds(200, 1_000) },
    );
  }, 120_000);

  test('of the unsigned copy of the list is refused', async () => {
    const { owner, cert, serverList } = await signedThings();
    const { claims } = await checkPass(cert, owner);
    const json = JSON.stringify([server]);
    await fc.assert(
      fc.asyncProperty(change, async (by) => {
        const text = changed(json, by);
        let servers: unknown;
        try {
          servers = JSON.parse(text);
        } catch {
          return;
        }
        if (JSON.stringify(servers) === json) return;
        await expect(checkServerList({ serverList, servers }, claims)).rejects.toMatchObject({
          code: 'servers_mismatch',
        });
      }),
      { numRuns: rounds(200, 1_000) },
    );
  }, 120_000);
});

const answers = fc.record({
  status: fc.constantFrom(200, 202, 204, 301, 400, 401, 403, 404, 409, 429, 500, 503),
  text: fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(
        fc.constantFrom(
          ...['requestId', 'expiresAt', 'pairingCode', 'pairingUrl', 'status', 'cert', 'servers'],
          ...[
            'serverList',
            'error',
            'code',
            'challenge',
            'sessionToken',
            'serverTime',
            '__proto__',
          ],
        ),
        fc.jsonValue(),
      )
      .map((body) => JSON.stringify(body)),
  ),
  retryAfter: fc.option(fc.constantFrom('5', '-1', 'soon', '1e9', '')),
});

test('an app gets an IdentityError, and no account, with any reply of the broker', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 4 }), async (replies) => {
      const store = createMemoryStore();
      let count = 0;
      const client = createClient({
        appId: 'app_example',
        identityUrl: 'https://id.example.org',
        deviceName: 'Kitchen',
        platform: 'cli',
        keys: createMemoryKeyStore(),
        store,
        // Every wait ends immediately, and a request never times out.
        clock: {
          now: systemClock.now,
          after: (delayMs, run) =>
            delayMs >= 10_000 ? () => undefined : systemClock.after(0, run),
        },
        fetch: async () => {
          const { status, text, retryAfter } = replies[count % replies.length] ?? replies[0]!;
          count += 1;
          // A broker that always replies "later" would be polled until the ten minutes are over.
          if (count > 12) return new Response('{"status":"error","error":{"code":"expired"}}');
          const hasBody = status !== 204;
          return new Response(hasBody ? text : null, {
            status,
            headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
          });
        },
      });
      await client.start();
      const ended = await client
        .pairByCode()
        .then(({ done }) => done)
        .catch((error: unknown) => error);
      client.stop();
      expect(ended).toBeInstanceOf(IdentityError);
      expect(client.state().status).toBe('signed_out');
      expect(await store.getItem('vitrine.membership')).toBeNull();
    }),
    { numRuns: rounds(100, 300) },
  );
}, 120_000);
