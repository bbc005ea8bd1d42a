import { createDevice } from '../identity/device.ts';
import { beginLink, lookAtLink, pairedFrom } from '../identity/household.ts';
import { good, textOf, type Answer, type Asked } from '../identity/ask.ts';
import type { HomeServer } from '../identity/home-server.ts';
import type { MovingClock } from '../identity/moving-clock.ts';
import type { Person } from '../identity/person.ts';
import { password, type Errand, type Thing } from './errand.ts';

/** What a link needs beside the server. */
export interface IdentityParts {
  readonly address: Pick<HomeServer, 'url' | 'serverId'>;
  readonly identityUrl: string;
  readonly clock: MovingClock;
  readonly ada: Person;
}

/** An identity that is linked, signs in with a pass, loses it, and is unlinked. */
export const identityErrands = (parts: IdentityParts): readonly Errand[] => [
  {
    name: 'identities',
    run: async ({ ask, no }) => {
      const { address, identityUrl, clock, ada } = parts;
      const home = {
        ...address,
        ask: async (route: string, { method, body, token: whose }: Asked = {}) => ({
          status: 200,
          body: await ask<Answer['body']>(method ?? (body === undefined ? 'GET' : 'POST'), route, {
            ...{ body, token: whose ?? '' },
          }),
          headers: new Headers(),
        }),
      };
      const name = `Lovelace ${no}`;
      const { user } = await ask<{ user: Thing }>('POST', '/api/users', {
        body: { name, password, role: 'user' },
      });
      const { sessionToken: token } = await ask<{ sessionToken: string }>(
        'POST',
        '/api/auth/login',
        { body: { name, password }, token: '' },
      );
      const local = { id: user.id, name, token };
      good(await ada.signIn());
      const { id, requestId } = await beginLink(home, local);
      good(await ada.link(requestId));
      const { fingerprint } = await lookAtLink(home, local, id);
      await ask('POST', `/api/identity/links/${id}/confirm`, { body: { fingerprint }, token });
      const device = await createDevice({ identityUrl, appId: 'app_telly', clock });
      const paired = await ada.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
      good(await ada.approve(paired));
      const { cert, clientId } = pairedFrom(device, await device.poll(paired));
      const pass = await device.signIn(home, cert);
      await ask('GET', '/api/auth/identity/me', { token: pass });
      await ask('GET', '/api/items?limit=1', { token: pass });
      await ask('GET', '/api/identity/links', { token });
      await ask('GET', '/api/auth/sessions', { token });
      good(await ada.revoke(clientId));
      await clock.advance(6 * 60_000);
      await ask('DELETE', `/api/identity/links/${id}`, { token });
      await ask('DELETE', `/api/users/${user.id}`);
    },
  },
];
