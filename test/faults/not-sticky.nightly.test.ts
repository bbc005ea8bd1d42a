/** Three servers on one database, and each request at the next of them: nothing is sticky. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServerIdentity } from '../../src/people/identity/index.ts';
import { ask, good, textOf, type Asked } from '../support/identity/ask.ts';
import { createDevice } from '../support/identity/device.ts';
import { appId, linkHome, pairedFrom, callbackUrl } from '../support/identity/household.ts';
import { createMovingClock } from '../support/identity/moving-clock.ts';
import { registerPerson } from '../support/identity/person.ts';
import { openTestBroker, type TestBroker } from '../support/identity/test-broker.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { makePasskey } from '../support/people/authenticator.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { adminToken, until } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const rounds = 20;
const password = 'correct horse battery';
const origin = 'http://localhost:8360';

let broker: TestBroker;
let cluster: TestCluster;
let requests = 0;
const clock = createMovingClock();

/** The address of the next server. */
function next(): string {
  requests += 1;
  return cluster.servers[requests % cluster.servers.length]?.url ?? '';
}

/** A request at the next server; as the admin unless a token says as whom. */
const round = (route: string, { token = adminToken, ...asked }: Asked = {}) =>
  ask(next() + route, { ...asked, token: token === '' ? undefined : token });

async function join(name: string): Promise<{ readonly id: string; readonly token: string }> {
  const made = await round('/api/users', { body: { name, password, role: 'user' } });
  const { id } = good(made)['user'] as { readonly id: string };
  const body = { name, password };
  return { id, token: textOf(await round('/api/auth/login', { body, token: '' }), 'sessionToken') };
}

/** How many of the rounds ended well, one after the other. */
async function wellOf(act: (no: number) => Promise<boolean>): Promise<number> {
  let well = 0;
  for (let no = 0; no < rounds; no += 1) if (await act(no)) well += 1;
  return well;
}

describe.skipIf(!hasPostgres())(
  'with each request at the next of three servers (needs PostgreSQL)',
  () => {
    beforeAll(async () => {
      broker = await openTestBroker({ clock });
      cluster = await startCluster(3, [
        ...['--public-url', origin, '--identity-url', broker.identityUrl, '--ingest', 'off'],
        ...['--trusted-proxy', '127.0.0.1'],
      ]);
    });

    afterAll(async () => {
      await cluster?.end();
      await broker?.stop();
    });

    test('devices are paired', async () => {
      const { token } = await join('Pia');

      const well = await wellOf(async (no) => {
        // One address gets ten codes a minute, and the network around it thirty.
        const headers = { 'x-forwarded-for': `192.0.2.${no}` };
        const body = { deviceName: `TV ${no}` };
        const begun = await round('/api/auth/pairings', { body, headers, token: '' });
        const { code, secret } = good(begun)['pairing'] as { code: string; secret: string };
        const waits = await round('/api/auth/pairings/claim', { body: { secret }, token: '' });
        const looked = await round('/api/auth/pairings/look', { body: { code }, token });
        const accepted = await round('/api/auth/pairings/accept', { body: { code }, token });
        const claimed = await round('/api/auth/pairings/claim', { body: { secret }, token: '' });
        const me = await round('/api/auth/me', { token: textOf(claimed, 'sessionToken') });
        const again = await round('/api/auth/pairings/claim', { body: { secret }, token: '' });
        expect([waits.body['status'], again.status]).toEqual(['waiting', 404]);
        return [looked.status, accepted.status, me.status].join(' ') === '200 204 200';
      });

      expect(well).toBe(rounds);
    });

    test('people sign in with a passkey, and each challenge counts once', async () => {
      const { token } = await join('Kim');
      const begun = await round('/api/auth/passkeys/options', { body: { password }, token });
      const passkey = makePasskey(good(begun)['options'] as never, origin);
      const body = { name: 'A key', passkey: passkey.registration };
      good(await round('/api/auth/passkeys', { body, token }));

      const well = await wellOf(async () => {
        const asked = await round('/api/auth/login/passkey/options', { body: {}, token: '' });
        const signed = passkey.sign(good(asked)['options'] as never);
        const signIn = () =>
          round('/api/auth/login/passkey', { body: { passkey: signed }, token: '' });
        const entered = await signIn();
        const me = await round('/api/auth/me', { token: textOf(entered, 'sessionToken') });
        return me.status === 200 && (await signIn()).status === 403;
      });

      expect(well).toBe(rounds);
    });

    test('nobody guesses more passwords than at one server', async () => {
      const guess = () =>
        round('/api/auth/login', { body: { name: 'nobody', password: 'wrong' }, token: '' });
      const begunAt = performance.now();
      let checked = 0;
      for (let no = 0; no < 20; no += 1) if ((await guess()).status === 401) checked += 1;

      // Six at once; then waits of 1, 2, 4 s and so on.
      const seconds = (performance.now() - begunAt) / 1000;
      expect(checked).toBeGreaterThanOrEqual(6);
      expect(checked).toBeLessThanOrEqual(6 + Math.log2(1 + seconds));
    });

    test('a search finds what another server changed just now', async () => {
      const tree = await createMediaTree(['Night Train (2001)/Night Train (2001).mkv']);
      onTestFinished(tree.remove);
      const library = { name: 'Films', type: 'movies', roots: [`file://${tree.path}`] };
      good(await round('/api/libraries', { body: library }));
      const list = async () => (await round('/api/items')).body['items'] as { id: string }[];
      await until('there is a film', async () => (await list()).length > 0);
      const [film] = await list();
      const search = async (q: string, headers = {}) =>
        good(await round(`/api/search?q=${q}`, { headers }))['items'] as object[];
      await until('the index follows', async () => (await search('Night')).length > 0);

      const well = await wellOf(async (no) => {
        const title = `Kestrel${no}x`;
        const edited = await fetch(`${next()}/api/items/${film?.id ?? ''}`, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ title }),
        });
        const change = edited.headers.get('x-vitrine-change') ?? 'none';
        return (await search(title, { 'x-vitrine-change': change })).length === 1;
      });

      // A busy machine may need more than the half second that a search waits.
      expect(well).toBeGreaterThanOrEqual(rounds - 2);
    });

    test('an identity is linked, and its app signs in', async () => {
      const { identityUrl } = broker;
      const ada = await registerPerson('ada', { identityUrl, clock });
      const app = { slug: 'telly', name: 'Telly', domain: null, icon: null };
      good(await ada.web('apps', { body: { ...app, callbacks: [callbackUrl] } }));
      const local = await join('Ada');
      const home = { ask: round } as never;
      await linkHome(home, { ...local, name: 'Ada' }, ada);
      const device = await createDevice({ identityUrl, appId, clock });
      const requestId = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
      good(await ada.approve(requestId));
      const { cert } = pairedFrom(device, await device.poll(requestId));
      const { serverId } = openServerIdentity(cluster.servers[0]?.data ?? '');
      const server = () => ({ serverId, url: next() });

      const well = await wellOf(async () => {
        const challenge = textOf(await device.begin(server(), cert), 'challenge');
        const entered = await device.complete(server(), cert, { challenge });
        const me = await round('/api/auth/identity/me', { token: textOf(entered, 'sessionToken') });
        const again = await device.complete(server(), cert, { challenge });
        return me.status === 200 && again.body['code'] === 'challenge_invalid';
      });

      expect(well).toBe(rounds);
    });
  },
);
