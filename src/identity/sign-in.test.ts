/** Begin, complete and me: the ordered checks of the identity protocol, section 3.4. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  begin,
  complete,
  keyOwner,
  openTestIdentity,
  signInWith,
  type LinkedPerson,
  type TestIdentity,
} from '../../test/support/identity-half.ts';

let half: TestIdentity;
let anna: LinkedPerson;

beforeEach(async () => {
  half = await openTestIdentity();
  anna = await half.linked('Anna');
});

const day = 86_400;

describe('a sign-in with a pass', () => {
  test('opens a session for a day, which stands for the linked user', async () => {
    const { status, body, headers } = await complete(half, anna);

    expect(status).toBe(200);
    expect(body).toEqual({
      sessionToken: expect.stringMatching(/^vti_[\w-]{43}$/),
      expiresAt: new Date(half.clock.now() + day * 1000).toISOString(),
    });
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    const token = String(body['sessionToken']);
    const me = await half.ask('GET /api/auth/identity/me', undefined, { token });
    expect(me.body).toEqual({
      userId: anna.userId,
      userPubKey: anna.identity.publicKey,
      clientId: anna.clientId,
      appId: 'app_example',
      deviceName: 'TV',
      scope: ['servers:*'],
      localUserId: anna.user.id,
      role: 'user',
      certExp: anna.claims['exp'],
      expiresAt: body['expiresAt'],
    });
    const own = await half.ask('GET /api/auth/me', undefined, { token });
    expect(own.body).toMatchObject({ role: 'user', credentialKind: 'identity' });
    expect(await half.audited()).toContain('identity.session_opened');
  });

  test('opens one until the pass ends, when that is sooner', async () => {
    const cert = await anna.pass({ exp: half.seconds() + 3600 });

    const { body } = await complete(half, anna, { cert });

    expect(body['expiresAt']).toBe(new Date((half.seconds() + 3600) * 1000).toISOString());
  });
});
