import { beforeEach, describe, expect, test } from 'vitest';
import {
  makeUser,
  openTestAccounts,
  signIn,
  type TestAccounts,
} from '../../../../test/support/people/accounts.ts';
import type { Viewer } from '../../viewer/index.ts';
import { newPairingCode, readPairingCode } from './pairing-code.ts';
import type { Pairings } from './pairings.ts';

const television = { name: 'Living room', userAgent: 'Tizen', address: '10.0.0.9' };
const minute = 60_000;

let parts: TestAccounts;
let pairings: Pairings;
let anna: Viewer;

beforeEach(async () => {
  parts = await openTestAccounts();
  pairings = parts.accounts.pairings;
  await makeUser(parts.accounts, 'Anna');
  anna = (await signIn(parts.accounts, 'Anna')).viewer;
});

const begin = (address = '10.0.0.9') => pairings.begin({ ...television, address });
const by = (code: string, viewer = anna) => ({ code, viewer, network: 'home' });
const codeOf = (error: unknown): string => (error as { readonly code: string }).code;
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return codeOf(error);
  }
  return 'none';
};

describe('a device that waits', () => {
  test('gets the session of the person who accepts, once, with the secret and not with the code', async () => {
    const { code, secret } = begin();
    expect(pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });

    await pairings.accept({ ...by(code), deviceName: 'The big one' });

    expect(refusal(() => pairings.claim(code, 'home'))).toBe('not_found');
    const claimed = pairings.claim(secret, 'home');
    expect(claimed).toMatchObject({ status: 'accepted', user: { name: 'Anna' } });
    expect(refusal(() => pairings.claim(secret, 'home'))).toBe('not_found');
    const token = claimed.status === 'accepted' ? claimed.sessionToken : '';
    const caller = await parts.accounts.authenticate({ authorization: `Bearer ${token}` });
    expect(caller?.viewer).toMatchObject({ userId: anna.userId, credentialKind: 'session' });
    expect(await parts.accounts.sessions.list(anna)).toContainEqual(
      expect.objectContaining({ deviceName: 'The big one', address: '10.0.0.9' }),
    );
  });

  test('is told when it was refused', () => {
    const { code, secret } = begin();

    pairings.refuse(by(code));

    expect(pairings.claim(secret, 'home')).toEqual({ status: 'refused' });
    expect(refusal(() => pairings.look(by(code)))).toBe('not_found');
  });

  test('waits for ten minutes', async () => {
    const { code, secret } = begin();

    await parts.clock.advance(10 * minute - 1);
    expect(pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
    await parts.clock.advance(1);

    expect(refusal(() => pairings.claim(secret, 'home'))).toBe('not_found');
    expect(refusal(() => pairings.look(by(code)))).toBe('not_found');
  });

  test('is seen by the person who decides, however they type the code', () => {
    const { code } = begin();
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;

    expect(pairings.look(by(typed))).toMatchObject({
      deviceName: 'Living room',
      userAgent: 'Tizen',
      address: '10.0.0.9',
    });
  });
});

describe('a decision', () => {
  test('holds once, also when two arrive at the same time', async () => {
    const { code } = begin();

    const ended = await Promise.allSettled([pairings.accept(by(code)), pairings.accept(by(code))]);

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await parts.accounts.sessions.list(anna)).toHaveLength(2);
  });

  test('is for sessions only: no API key, no identity and no plugin lets a device in', async () => {
    const { code } = begin();

    for (const credentialKind of ['api-key', 'identity', 'server'] as const) {
      const other = { ...anna, credentialKind };
      expect(refusal(() => pairings.look(by(code, other)))).toBe('forbidden');
      await expect(pairings.accept(by(code, other))).rejects.toMatchObject({ code: 'forbidden' });
      expect(refusal(() => pairings.refuse(by(code, other)))).toBe('forbidden');
    }
  });

  test('does not hold when the session of the person has ended meanwhile', async () => {
    const { code, secret } = begin();
    await parts.accounts.sessions.remove(anna.credentialId, anna);

    await expect(pairings.accept(by(code))).rejects.toMatchObject({ code: 'sign_in_again' });

    expect(pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
  });

  test('stands in the audit log, and so do wrong codes', async () => {
    await pairings.accept({ ...by(begin().code), deviceName: undefined });
    expect(refusal(() => pairings.look(by('BBBB BBBB')))).toBe('not_found');
    await parts.audit.close();

    const { entries } = await parts.audit.list({ action: ['session.paired', 'pairing.*'] });

    expect(entries.map(({ action, actor, details }) => [action, actor.userId, details])).toEqual([
      ['pairing.failed', anna.userId, expect.anything()],
      ['session.paired', anna.userId, { deviceName: 'Living room', deviceAddress: '10.0.0.9' }],
    ]);
  });
});

describe('too many', () => {
  test('devices of one address, or of the network around it, get no code for a while', async () => {
    const codes = (address: string, times = 11): readonly string[] =>
      Array.from({ length: times }, () => refusal(() => begin(address)));

    expect(codes('192.0.2.1').filter((one) => one === 'too_often')).toHaveLength(1);
    codes('192.0.2.2', 10);
    codes('192.0.2.3', 10);
    expect(codes('192.0.2.4', 1)).toEqual(['too_often']);
    for (const prefix of ['1:1', '1:2', '1:3']) codes(`2001:db8:${prefix}::1`, 10);
    expect(codes('2001:db8:1:4::1', 1)).toEqual(['too_often']);
    expect(codes('198.51.100.1', 1)).toEqual(['none']);

    await parts.clock.advance(minute);
    expect(codes('192.0.2.1', 1)).toEqual(['none']);
  });

  test('devices of many networks keep no other device from its code, and its code holds', () => {
    const { secret } = begin('198.51.100.1');
    for (let site = 0; site < 40; site += 1)
      for (let no = 0; no < 30; no += 1)
        expect(refusal(() => begin(`10.1.${site}.${Math.floor(no / 10)}`))).toBe('none');

    expect(pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
    expect(refusal(() => begin('203.0.113.1'))).toBe('none');
  });

  test('wrong codes make the person wait', () => {
    for (let count = 0; count < 11; count += 1)
      expect(refusal(() => pairings.look(by('no code')))).toBe('not_found');

    expect(refusal(() => pairings.look(by(begin().code)))).toBe('too_many_attempts');
  });

  test('questions of the devices of one address are refused', () => {
    const { secret } = begin();
    for (let count = 0; count < 240; count += 1) pairings.claim(secret, 'home');

    expect(refusal(() => pairings.claim(secret, 'home'))).toBe('too_often');
    expect(pairings.claim(secret, 'elsewhere')).toEqual({ status: 'waiting' });
  });
});

test('a code is eight letters, each as likely as the others', () => {
  let byte = 0;
  const random = (count: number): Buffer =>
    Buffer.from(Array.from({ length: count }, () => byte++));
  const codes = Array.from({ length: 30 }, () => newPairingCode(random));
  const counts = new Map<string, number>();
  for (const letter of codes.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);

  expect(new Set(counts.values()).size).toBeLessThanOrEqual(2);
  expect(codes.every((code) => readPairingCode(code) === code)).toBe(true);
  expect(readPairingCode('AAAAAAAA')).toBeNull();
});
