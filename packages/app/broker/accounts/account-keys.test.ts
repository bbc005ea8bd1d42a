import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePasskey } from '../../../../test/support/people/authenticator.ts';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { ask, good, verdictOf, type Answer } from '../../../../test/support/identity/ask.ts';
import type { Person, PrfPasskey } from '../../../../test/support/identity/person.ts';
import {
  createRecoveryCode,
  passkeySecret,
  recoveryAuth,
  recoverySecret,
  withoutPasskey,
  withSecret,
} from '../signing/index.ts';
import type { Recovery, RegisterOptions, SessionView, Vault } from '../service/web-api.ts';

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

const newHandle = (): string => `user-${randomUUID()}`;
const newPasskey = async (person: Person): Promise<PrfPasskey> => {
  const asked = bodyOf<RegisterOptions>(await person.web('passkeys/options', { body: {} }));
  const passkey = makePasskey(asked.options, scene.broker.identityUrl);
  return { ...passkey, prf: Uint8Array.from(randomBytes(32)) };
};

describe('the vault', () => {
  const put = (person: Person, vault: Vault): Promise<Answer> =>
    person.web('vault', { method: 'PUT', body: { vault } });

  test('accepts a higher revision, and refuses any other', async () => {
    const eve = await scene.register(newHandle());
    const opened = eve.opened();
    const next = await withSecret(opened, recoverySecret(createRecoveryCode()));

    expect(verdictOf(await put(eve, opened.vault))).toBe('409 vault_conflict');
    expect(verdictOf(await put(eve, next.vault))).toBe('204');
    expect(verdictOf(await put(eve, next.vault))).toBe('409 vault_conflict');
    expect(verdictOf(await put(eve, opened.vault))).toBe('409 vault_conflict');
    expect((await eve.web('vault')).body['vault']).toEqual(next.vault);
  });

  test('refuses the vault of another user, and needs a recent use of the passkey', async () => {
    const [eve, bob] = [await scene.register(newHandle()), await scene.register(newHandle())];
    expect(verdictOf(await put(eve, bob.opened().vault))).toBe('400 vault_invalid');

    await scene.clock.advance(5 * 60_000);
    expect(verdictOf(await put(eve, eve.opened().vault))).toBe('401 assertion_required');
  });
});

describe('several passkeys', () => {
  test('a second one opens the same identity, and then the first can be removed', async () => {
    const eve = await scene.register(newHandle());
    const second = await newPasskey(eve);
    const grown = await withSecret(eve.opened(), passkeySecret(second.id, second.prf));
    const body = { credential: second.registration, vault: grown.vault };
    const added = await eve.web('passkeys/verify', { body });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: second.id,
      createdAt: scene.clock.now(),
      lastUsedAt: null,
      backedUp: false,
      transports: ['internal'],
    });

    const { userPubKey } = eve.account();
    expect(verdictOf(await eve.signIn(second))).toBe('200');
    expect(eve.account().userPubKey).toBe(userPubKey);

    const without = await withoutPasskey(eve.opened(), eve.passkey.id);
    const removed = await eve.web(`passkeys/${eve.passkey.id}/remove`, {
      body: { vault: without.vault },
    });
    expect(verdictOf(removed)).toBe('204');
    expect(verdictOf(await eve.signIn(eve.passkey))).toBe('401 assertion_invalid');
    expect(verdictOf(await eve.signIn(second))).toBe('200');
  });

  test('the last one cannot be removed, and a vault that still has the removed wrap is refused', async () => {
    const eve = await scene.register(newHandle());
    const path = `passkeys/${eve.passkey.id}/remove`;

    expect(verdictOf(await eve.web(path, { body: { vault: eve.opened().vault } }))).toBe(
      '400 vault_invalid',
    );
    const code = recoverySecret(createRecoveryCode());
    const passphrase = {
      type: 'passphrase' as const,
      ref: randomBytes(16).toString('base64url'),
      ikm: Uint8Array.from(randomBytes(32)),
      kdf: { m: 65_536, t: 3, p: 1 },
    };
    const grown = await withSecret(await withSecret(eve.opened(), passphrase), code);
    const without = await withoutPasskey(grown, eve.passkey.id);
    expect(verdictOf(await eve.web(path, { body: { vault: without.vault } }))).toBe(
      '409 last_passkey',
    );
    expect(verdictOf(await eve.signIn())).toBe('200');
  });

  test('a passkey without PRF is added, and the vault stays unchanged', async () => {
    const eve = await scene.register(newHandle());
    const second = await newPasskey(eve);
    const body = { credential: second.registration, vault: eve.opened().vault };

    expect(verdictOf(await eve.web('passkeys/verify', { body }))).toBe('201');
    expect((await eve.web('passkeys')).body['passkeys']).toHaveLength(2);
  });

  test('a challenge is valid only for its session', async () => {
    const [eve, bob] = [await scene.register(newHandle()), await scene.register(newHandle())];
    const made = await newPasskey(eve);
    const grown = await withSecret(bob.opened(), passkeySecret(made.id, made.prf));

    const body = { credential: made.registration, vault: grown.vault };
    expect(verdictOf(await bob.web('passkeys/verify', { body }))).toBe('401 assertion_invalid');
  });
});

describe('the recovery code', () => {
  async function recovering() {
    const eve = await scene.register(newHandle());
    const auth = await recoveryAuth(eve.recoveryCode);
    const answer = await web('recover', { handle: eve.handle, auth });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { eve, auth, answer, cookie, recovery: bodyOf<Recovery>(answer) };
  }

  test('returns the vault, and a session that can only finish the recovery', async () => {
    const { recovery, cookie, eve } = await recovering();
    const { identityUrl } = scene.broker;

    expect(recovery.account).toEqual(eve.account());
    expect(recovery.vault).toEqual(eve.opened().vault);
    const view = await ask(`${identityUrl}/web/session`, { headers: { cookie } });
    expect(bodyOf<SessionView>(view)).toMatchObject({ isRecovery: true, assertedAt: 0 });
    for (const route of ['vault', 'clients', 'passkeys'])
      expect(verdictOf(await ask(`${identityUrl}/web/${route}`, { headers: { cookie } }))).toBe(
        '403 recovery_unfinished',
      );
    expect(verdictOf(await web('passkeys/options', {}, { cookie }))).toBe(
      '403 recovery_unfinished',
    );
  });

  test('finishes with a new passkey and a new code, and ends every other session', async () => {
    const { recovery, cookie, eve, auth } = await recovering();
    const passkey = makePasskey(recovery.options, scene.broker.identityUrl);
    const prf = Uint8Array.from(randomBytes(32));
    const code = createRecoveryCode();
    const grown = await withSecret(eve.opened(), passkeySecret(passkey.id, prf));
    const { vault } = await withSecret(grown, recoverySecret(code));
    const body = {
      credential: passkey.registration,
      vault,
      recoveryAuth: await recoveryAuth(code),
    };

    const done = await web('recover/verify', body, { cookie });
    expect(done.status).toBe(200);
    expect(verdictOf(await eve.web('session'))).toBe('401 signed_out');
    expect(verdictOf(await web('recover', { handle: eve.handle, auth }))).toBe(
      '401 recovery_refused',
    );
    expect(
      verdictOf(await web('recover', { handle: eve.handle, auth: await recoveryAuth(code) })),
    ).toBe('200');
    expect(verdictOf(await eve.signIn({ ...passkey, prf }))).toBe('200');
  });

  test('gives the same reply for a wrong code and an unknown user', async () => {
    const auth = randomBytes(32).toString('base64url');
    const [wrong, nobody] = [
      await web('recover', { handle: 'ada', auth }),
      await web('recover', { handle: 'nobody', auth }),
    ];

    expect(verdictOf(wrong)).toBe('401 recovery_refused');
    expect(wrong.body).toEqual(nobody.body);
  });

  test('a normal session cannot finish a recovery', async () => {
    const eve = await scene.register(newHandle());
    const body = {
      credential: (await newPasskey(eve)).registration,
      vault: eve.opened().vault,
      recoveryAuth: await recoveryAuth(createRecoveryCode()),
    };

    expect(verdictOf(await eve.web('recover/verify', { body }))).toBe('401 signed_out');
  });

  test('can be changed with the passkey, which makes the old one invalid', async () => {
    const eve = await scene.register(newHandle());
    const code = createRecoveryCode();
    const { vault } = await withSecret(eve.opened(), recoverySecret(code));
    const body = { vault, recoveryAuth: await recoveryAuth(code) };
    expect(verdictOf(await eve.web('recovery', { body }))).toBe('204');

    const old = await recoveryAuth(eve.recoveryCode);
    expect(verdictOf(await web('recover', { handle: eve.handle, auth: old }))).toBe(
      '401 recovery_refused',
    );
  });
});
