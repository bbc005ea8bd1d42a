import { describe, expect, test } from 'vitest';
import { isSignedBy } from '../../../lib/identity-protocol/index.ts';
import type { Vault, VaultWrap } from '../service/web-api.ts';
import { recoverySecret } from './recovery-code.ts';
import { passkeySecret, type VaultSecret } from './vault-secret.ts';
import { isVault, isVaultProven } from './vault-shape.ts';
import {
  createVault,
  openVault,
  withNewVaultKey,
  withNewIdentity,
  withoutPasskey,
  withSecret,
  type OpenedVault,
} from './vault.ts';

const userId = 'user-one';
const passkey = passkeySecret('cGFzc2tleTE', new Uint8Array(32).fill(1));
const second = passkeySecret('cGFzc2tleTI', new Uint8Array(32).fill(2));
const code = recoverySecret('0123456789ABCDEFGHJKMNPQRS');

const enrol = (): Promise<OpenedVault> => createVault(userId, [passkey, code]);

const open = (
  { vault, identity: { userPubKey } }: OpenedVault,
  secret: VaultSecret,
  purpose: 'sign' | 'change' = 'sign',
) => openVault(vault, { account: { userId, userPubKey }, secret, purpose });

async function opened(from: OpenedVault, secret: VaultSecret): Promise<OpenedVault> {
  const vault = await open(from, secret, 'change');
  if (typeof vault === 'string') throw new Error(vault);
  return vault;
}

/** The vault with a changed field in one of its wraps. */
const changed = ({ vault, ...rest }: OpenedVault, wrap: Partial<VaultWrap>): OpenedVault => ({
  ...rest,
  vault: {
    ...vault,
    wraps: vault.wraps.map((one) => (one.type === 'prf' ? { ...one, ...wrap } : one)),
  },
});

describe('A vault', () => {
  test('opens with a passkey and with the recovery code to the same signing key', async () => {
    const made = await enrol();
    const bytes = new Uint8Array([1, 2, 3]);

    for (const secret of [passkey, code]) {
      const { identity } = await opened(made, secret);
      expect(identity.userPubKey).toBe(made.identity.userPubKey);
      expect(await isSignedBy(identity.userPubKey, bytes, await identity.sign(bytes))).toBe(true);
    }
  });

  test('does not let scripts export the private key', async () => {
    const made = await enrol();
    const handle = JSON.stringify(made.identity);

    expect(Object.keys(made.identity).sort()).toEqual(['sign', 'userId', 'userPubKey']);
    expect(handle).not.toContain('pkcs8');
    const forSigning = await open(made, passkey);
    if (typeof forSigning === 'string') throw new Error(forSigning);
    expect(forSigning.vaultKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('raw', forSigning.vaultKey)).rejects.toThrow();
  });

  test('has the shape and the proof that the broker checks', async () => {
    const { vault, identity } = await enrol();

    expect(isVault(JSON.parse(JSON.stringify(vault)))).toBe(true);
    expect(await isVaultProven(vault, identity)).toBe(true);
    expect(await isVaultProven({ ...vault, rev: 2 }, identity)).toBe(false);
    expect(await isVaultProven(vault, { ...identity, userId: 'user-two' })).toBe(false);
    expect(await isVaultProven({ ...vault, wraps: vault.wraps.slice(1) }, identity)).toBe(false);
  });

  test.each<[string, (vault: Vault) => unknown]>([
    ['a further key', (vault) => ({ ...vault, note: 1 })],
    ['no proof', ({ rev, wraps, key }) => ({ rev, wraps, key })],
    ['a revision that is not a number', (vault) => ({ ...vault, rev: '1' })],
    ['a wrap twice', (vault) => ({ ...vault, wraps: [...vault.wraps, ...vault.wraps] })],
    ['a salt that is too short', (vault) => withWrap(vault, { salt: 'AAAA' })],
    ['an unknown kind of secret', (vault) => withWrap(vault, { type: 'pin' })],
    ['a derivation where there is none', (vault) => withWrap(vault, { kdf: { m: 1, t: 1, p: 1 } })],
    ['a key of another user', (vault) => withKey(vault, { userPubKey: 'ab'.repeat(32) })],
    ['nothing', () => null],
    ['a list', () => []],
  ])('is not a vault with %s', async (_what, change) => {
    const { vault } = await enrol();

    expect(isVault(change(vault))).toBe(false);
  });

  test('does not open with another passkey, another code or another user', async () => {
    const made = await enrol();

    const wrong = passkeySecret(passkey.ref, new Uint8Array(32).fill(9));
    expect(await open(made, wrong)).toBe('wrong_secret');
    expect(await open(made, recoverySecret('1123456789ABCDEFGHJKMNPQRS'))).toBe('wrong_secret');
    expect(await open(made, second)).toBe('vault_locked');
    const account = { userId: 'user-two', userPubKey: made.identity.userPubKey };
    const asAnother = openVault(made.vault, { account, secret: passkey, purpose: 'sign' });
    expect(await asAnother).toBe('wrong_secret');
  });

  test('does not open when a wrap has another name, kind, salt or position', async () => {
    const made = await enrol();

    const renamed = changed(made, { ref: second.ref });
    const itsSecret = { ...passkey, ref: second.ref };
    expect(await open(renamed, itsSecret)).toBe('wrong_secret');
    const { vault } = changed(made, { type: 'recovery', ref: 'recovery' });
    const retyped = { ...made, vault: { ...vault, wraps: vault.wraps.slice(0, 1) } };
    const asCode = { ...passkey, type: 'recovery', ref: 'recovery' } as const;
    expect(await open(retyped, asCode)).toBe('wrong_secret');
    const salted = changed(made, { salt: made.vault.wraps[1]!.salt });
    expect(await open(salted, passkey)).toBe('wrong_secret');
  });

  test('is refused when it is not a vault', async () => {
    const made = await enrol();

    for (const vault of [null, { ...made.vault, more: 1 }, { ...made.vault, wraps: 'none' }])
      expect(await open({ ...made, vault: vault as unknown as Vault }, passkey)).toBe(
        'vault_altered',
      );
  });

  test('is refused with another public key, or another sealed key in it', async () => {
    const made = await enrol();
    const other = await enrol();

    const swapped = withKey(made.vault, { userPubKey: other.identity.userPubKey });
    const account = { userId, userPubKey: other.identity.userPubKey };
    const answer = await openVault(swapped, { account, secret: passkey, purpose: 'sign' });
    expect(answer).toBe('vault_altered');
    expect(await open({ ...made, vault: swapped }, passkey)).toBe('vault_altered');
    const foreign = { ...made, vault: { ...made.vault, key: other.vault.key } };
    expect(await open(foreign, passkey)).toBe('vault_altered');
  });

  test('is refused when the broker added or removed a wrap, or changed the revision', async () => {
    const made = await enrol();
    const { vault } = made;
    const more = await withSecret(made, second);

    const slippedIn = { ...vault, wraps: more.vault.wraps };
    expect(await open({ ...made, vault: slippedIn }, passkey)).toBe('vault_altered');
    const takenOut = { ...vault, wraps: vault.wraps.slice(0, 1) };
    expect(await open({ ...made, vault: takenOut }, passkey)).toBe('vault_altered');
    expect(await open({ ...made, vault: { ...vault, rev: 7 } }, passkey)).toBe('vault_altered');
  });

  test('accepts a second passkey, which opens the same key, and allows removing the first', async () => {
    const made = await enrol();

    const more = await withSecret(await opened(made, code), second);
    const less = await withoutPasskey(more, passkey.ref);

    expect([made, more, less].map(({ vault }) => vault.rev)).toEqual([1, 2, 3]);
    const { identity } = await opened(less, second);
    expect(identity.userPubKey).toBe(made.identity.userPubKey);
    expect(await open(less, passkey)).toBe('vault_locked');
    expect(await open(less, code)).not.toBeTypeOf('string');
  });

  test('accepts a new recovery code in place of the old one', async () => {
    const made = await enrol();
    const fresh = recoverySecret('ZZZZZZZZZZZZZZZZZZZZZZZZZZ');

    const next = await withSecret(made, fresh);

    expect(next.vault.wraps.map(({ type }) => type)).toEqual(['prf', 'recovery']);
    expect(await open(next, code)).toBe('wrong_secret');
    expect(await open(next, fresh)).not.toBeTypeOf('string');
  });

  test('gets a new vault key, so that an old revision does not open later ones', async () => {
    const made = await enrol();

    const next = await withNewVaultKey(await opened(made, passkey), [second, code]);

    expect(await open(next, second)).not.toBeTypeOf('string');
    expect(await open(next, passkey)).toBe('vault_locked');
    const stale = { ...next, vault: { ...next.vault, wraps: made.vault.wraps } };
    expect(await open(stale, passkey)).toBe('vault_altered');
    expect(next.identity.userPubKey).toBe(made.identity.userPubKey);
  });

  test('contains a new identity key after a rotation, opened by the same secrets', async () => {
    const made = await enrol();

    const next = await withNewIdentity(made);

    expect(next.identity.userPubKey).not.toBe(made.identity.userPubKey);
    expect(next.vault.wraps).toEqual(made.vault.wraps);
    const { identity } = await opened(next, code);
    expect(identity.userPubKey).toBe(next.identity.userPubKey);
    expect(isVault(next.vault)).toBe(true);
  });

  test('contains no readable secret or private key in the form for the broker', async () => {
    const { vault } = await enrol();

    expect(Object.keys(vault).sort()).toEqual(['key', 'proof', 'rev', 'wraps']);
    const text = JSON.stringify(vault);
    for (const { ikm } of [passkey, code])
      expect(text).not.toContain(Buffer.from(ikm).toString('base64url'));
  });
});

const withWrap = (vault: Vault, wrap: object): unknown => ({
  ...vault,
  wraps: vault.wraps.map((one) => (one.type === 'prf' ? { ...one, ...wrap } : one)),
});

const withKey = (vault: Vault, key: Partial<Vault['key']>): Vault => ({
  ...vault,
  key: { ...vault.key, ...key },
});
