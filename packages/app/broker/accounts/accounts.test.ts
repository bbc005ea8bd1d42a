import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePasskey } from '../../../../test/support/people/authenticator.ts';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { ask, good, verdictOf, type Answer } from '../../../../test/support/identity/ask.ts';
import {
  createRecoveryCode,
  createVault,
  passkeySecret,
  recoveryAuth,
  recoverySecret,
} from '../signing/index.ts';
import type { LoginOptions, RegisterOptions, RegisterVerify } from '../service/web-api.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const bodyOf = <Shape>(answer: Answer): Shape => good(answer) as unknown as Shape;

/** Sends a request of a page without a session. */
const web = (route: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(`${scene.broker.identityUrl}/web/${route}`, {
    body,
    headers: { origin: scene.broker.identityUrl, ...headers },
  });

/** The body with which a page completes a registration. */
async function registration(handle: string): Promise<RegisterVerify> {
  const begun = bodyOf<RegisterOptions>(await web('register/options', { handle }));
  const { userId, options } = begun;
  const passkey = makePasskey(options, scene.broker.identityUrl);
  const code = createRecoveryCode();
  const { vault, identity } = await createVault(userId, [
    passkeySecret(passkey.id, Uint8Array.from(randomBytes(32))),
    recoverySecret(code),
  ]);
  return {
    ...{ userId, handle, vault, userPubKey: identity.userPubKey },
    credential: passkey.registration as RegisterVerify['credential'],
    recoveryAuth: await recoveryAuth(code),
  };
}
const newHandle = (): string => `user-${randomUUID()}`;

describe('registering', () => {
  test('requests a passkey that verifies its user, without attestation', async () => {
    const handle = newHandle();
    const { userId, options } = bodyOf<RegisterOptions>(await web('register/options', { handle }));

    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: 'localhost', name: 'Vitrine' },
      user: { id: userId, name: handle, displayName: handle },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 600_000,
    });
  });

  test('creates a session in a cookie that scripts and other sites cannot read', async () => {
    const answer = await web('register/verify', await registration(newHandle()));

    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sid=[\w-]{43}; Max-Age=43200; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('__Host');
  });

  test.each([['ada'], ['ADA'], ['\uff21da']])(
    'refuses a name that looks like ada: %s',
    async (handle) => {
      expect(verdictOf(await web('register/options', { handle }))).toBe('409 handle_taken');
    },
  );

  test.each([[''], [' ada2'], ['a\u202eb'], ['x'.repeat(65)]])(
    'refuses a name with invisible characters or a bad length: %j',
    async (handle) => {
      expect(verdictOf(await web('register/options', { handle }))).toBe('400 invalid_request');
    },
  );

  test('refuses a vault that has only one wrap, is of another user, has a weak passphrase or was altered', async () => {
    const body = await registration(newHandle());
    const { vault } = body;
    const other = await registration(newHandle());
    const [prf, recovery] = vault.wraps;
    const wrapped = (wraps: readonly unknown[]): unknown => ({ ...vault, wraps });
    const passphrase = { ...prf, type: 'passphrase', ref: randomBytes(16).toString('base64url') };

    for (const bad of [
      wrapped([prf]),
      wrapped([recovery]),
      wrapped([prf, { ...recovery, salt: prf?.salt }]),
      wrapped([{ ...prf, ref: 'another' }, recovery]),
      wrapped([{ ...passphrase, kdf: { m: 19_456, t: 2, p: 1 } }, prf, recovery]),
      { ...vault, rev: vault.rev + 1 },
      { ...vault, key: other.vault.key },
      other.vault,
    ])
      expect(verdictOf(await web('register/verify', { ...body, vault: bad }))).toBe(
        '400 vault_invalid',
      );
    for (const bad of [{ ...vault, extra: 1 }, wrapped([{ ...prf, v: 2 }, recovery]), null])
      expect(verdictOf(await web('register/verify', { ...body, vault: bad }))).toBe(
        '400 invalid_request',
      );
    expect(verdictOf(await web('register/verify', body))).toBe('201');
  });

  test('refuses a passkey for another name, another user or a second time', async () => {
    const body = await registration(newHandle());
    const other = await registration(newHandle());

    expect(verdictOf(await web('register/verify', { ...body, handle: newHandle() }))).toBe(
      '401 assertion_invalid',
    );
    expect(verdictOf(await web('register/verify', { ...body, credential: other.credential }))).toBe(
      '400 vault_invalid',
    );
    // The challenge of the first is consumed.
    expect(verdictOf(await web('register/verify', body))).toBe('401 assertion_invalid');
  });

  test('an account whose name was taken meanwhile stores nothing', async () => {
    const handle = newHandle();
    const [first, second] = [await registration(handle), await registration(handle)];
    expect(verdictOf(await web('register/verify', first))).toBe('201');

    expect(verdictOf(await web('register/verify', second))).toBe('409 handle_taken');
  });

  test('refuses a credential that contains PRF output', async () => {
    const body = await registration(newHandle());
    const credential = {
      ...body.credential,
      clientExtensionResults: { prf: { enabled: true, results: { first: 'c2VjcmV0' } } },
    };

    expect(verdictOf(await web('register/verify', { ...body, credential }))).toBe(
      '400 invalid_request',
    );
  });

  test('refuses a passkey with an attestation certificate', async () => {
    const handle = newHandle();
    const begun = bodyOf<RegisterOptions>(await web('register/options', { handle }));
    const passkey = makePasskey(begun.options, scene.broker.identityUrl, { attestation: 'packed' });
    const code = createRecoveryCode();
    const secrets = [
      passkeySecret(passkey.id, Uint8Array.from(randomBytes(32))),
      recoverySecret(code),
    ];
    const { vault, identity } = await createVault(begun.userId, secrets);

    const answer = await web('register/verify', {
      ...{ userId: begun.userId, handle, vault, userPubKey: identity.userPubKey },
      credential: passkey.registration,
      recoveryAuth: await recoveryAuth(code),
    });
    expect(verdictOf(answer)).toBe('401 assertion_invalid');
  });
});

test("a passkey with the id of another user's is refused, and the other is unchanged", async () => {
  const handle = newHandle();
  const { userId, options } = bodyOf<RegisterOptions>(await web('register/options', { handle }));
  const { id: credentialId } = scene.ada.passkey;
  const passkey = makePasskey(options, scene.broker.identityUrl, { credentialId });
  const code = createRecoveryCode();
  const secrets = [
    passkeySecret(passkey.id, Uint8Array.from(randomBytes(32))),
    recoverySecret(code),
  ];
  const { vault, identity } = await createVault(userId, secrets);

  const answer = await web('register/verify', {
    ...{ userId, handle, vault, userPubKey: identity.userPubKey },
    credential: passkey.registration,
    recoveryAuth: await recoveryAuth(code),
  });
  expect(verdictOf(answer)).toBe('409 passkey_taken');
  expect(verdictOf(await scene.ada.signIn())).toBe('200');
});

describe('signing in', () => {
  test('requests any passkey of this broker', async () => {
    const { options } = bodyOf<LoginOptions>(await web('login/options', {}));

    expect(options).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
      timeout: 300_000,
    });
  });

  test.each([
    ['no user verification', { isUserVerified: false }],
    ['no user presence', { isUserPresent: false }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another broker', { rpId: 'evil.example' }],
    ['a page in a frame of another site', { crossOrigin: true }],
    ['another user', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['no user', { userHandle: null }],
    ['a counter that did not grow', { counter: 0 }],
    ['another challenge', { challenge: 'c29tZXRoaW5n' }],
  ])('refuses %s', async (_, lie) => {
    await scene.ada.signIn();

    expect(verdictOf(await scene.ada.signIn(undefined, lie))).toBe('401 assertion_invalid');
  });

  test('refuses a used assertion, and an unknown passkey', async () => {
    const { options } = bodyOf<LoginOptions>(await web('login/options', {}));
    const credential = scene.ada.passkey.sign(options);
    expect(verdictOf(await web('login/verify', { credential }))).toBe('200');
    expect(verdictOf(await web('login/verify', { credential }))).toBe('401 assertion_invalid');

    const { options: again } = bodyOf<LoginOptions>(await web('login/options', {}));
    const stranger = { ...scene.ada.passkey.sign(again), id: 'AAAA', rawId: 'AAAA' };
    expect(verdictOf(await web('login/verify', { credential: stranger }))).toBe(
      '401 assertion_invalid',
    );
  });

  test('ends after twelve hours, and on sign-out', async () => {
    const eve = await scene.register(newHandle());
    expect((await eve.web('session')).body).toMatchObject({ isRecovery: false });
    await scene.clock.advance(12 * 3_600_000);
    expect(verdictOf(await eve.web('session'))).toBe('401 signed_out');

    await eve.signIn();
    expect(verdictOf(await eve.web('logout', { body: {} }))).toBe('204');
    expect(verdictOf(await eve.web('session'))).toBe('401 signed_out');
  });

  test('a new sign-in ends the session that it replaces', async () => {
    const first = await scene.ada.signIn();
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const view = async () =>
      ask(`${scene.broker.identityUrl}/web/session`, { headers: { cookie } });
    expect((await view()).status).toBe(200);

    await scene.ada.signIn();
    expect(verdictOf(await view())).toBe('401 signed_out');
  });

  test('every change under /web refuses requests that are not from a page of the broker', async () => {
    const eve = await scene.register(newHandle());
    const routes = [
      ...['register/options', 'register/verify', 'login/options', 'login/verify', 'logout'],
      ...['recover', 'recover/verify', 'passkeys/options', 'passkeys/verify', 'recovery', 'code'],
      ...['pair/x/options', 'pair/x/deny', 'link/x/approve', 'link/x/deny', 'batch', 'records'],
      ...['rotate', 'apps', 'apps/app_x/verify', 'passkeys/x/remove'],
    ];
    for (const route of routes)
      for (const origin of ['https://evil.example', 'null', '']) {
        const answer = await eve.web(route, { body: {}, headers: { origin } });
        expect([route, verdictOf(answer)]).toEqual([route, '403 bad_origin']);
      }
    for (const [method, route] of [
      ['PUT', 'vault'],
      ['PUT', 'servers'],
      ['PATCH', 'apps/app_x'],
      ['DELETE', 'apps/app_x'],
    ] as const) {
      const headers = { origin: 'https://evil.example' };
      expect(verdictOf(await eve.web(route, { method, body: {}, headers }))).toBe('403 bad_origin');
    }
  });

  test('routes that need a session refuse requests without one', async () => {
    for (const route of ['session', 'vault', 'passkeys', 'servers', 'clients', 'records', 'apps'])
      expect(verdictOf(await ask(`${scene.broker.identityUrl}/web/${route}`))).toBe(
        '401 signed_out',
      );
    const cookie = `__Host-sid=${randomBytes(32).toString('base64url')}`;
    expect(
      verdictOf(await ask(`${scene.broker.identityUrl}/web/vault`, { headers: { cookie } })),
    ).toBe('401 signed_out');
  });
});
