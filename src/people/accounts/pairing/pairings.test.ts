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
const refusal = (asked: Promise<unknown>): Promise<string> => asked.then(() => 'none', codeOf);

describe('a device that waits', () => {
  test('gets the session of the person who accepts, once, with the secret and not with the code', async () => {
    const { code, secret } = await begin();
    expect(await pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });

    await pairings.accept({ ...by(code), deviceName: 'The big one' });

    expect(await refusal(pairings.claim(code, 'home'))).toBe('not_found');
    const claimed = await pairings.claim(secret, 'home');
    expect(claimed).toMatchObject({ status: 'accepted', user: { name: 'Anna' } });
    expect(await refusal(pairings.claim(secret, 'home'))).toBe('not_found');
    const token = claimed.status === 'accepted' ? claimed.sessionToken : '';
    const caller = await parts.accounts.authenticate({ authorization: `Bearer ${token}` });
    expect(caller?.viewer).toMatchObject({ userId: anna.userId, credentialKind: 'session' });
    expect(await parts.accounts.sessions.list(anna)).toContainEqual(
      expect.objectContaining({ deviceName: 'The big one', address: '10.0.0.9' }),
    );
  });

  test('is let in by another server, asks a third, and no row that is kept opens its session', async () => {
    const [first, second] = [parts.restarted().pairings, parts.restarted().pairings];
    const { code, secret } = await pairings.begin(television);

    await first.accept(by(code));
    const kept = JSON.stringify(await parts.database.read('pairings').select());
    const claimed = await second.claim(secret, 'home');

    const token = claimed.status === 'accepted' ? claimed.sessionToken : '';
    expect(await parts.accounts.authenticate({ authorization: `Bearer ${token}` })).not.toBeNull();
    for (const text of [code, secret, token, token.slice(4)]) expect(kept).not.toContain(text);
  });

  test('is told when it was refused', async () => {
    const { code, secret } = await begin();

    await pairings.refuse(by(code));

    expect(await pairings.claim(secret, 'home')).toEqual({ status: 'refused' });
    expect(await refusal(pairings.look(by(code)))).toBe('not_found');
  });

  test('waits for ten minutes', async () => {
    const { code, secret } = await begin();

    await parts.clock.advance(10 * minute - 1);
    expect(await pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
    await parts.clock.advance(1);

    expect(await refusal(pairings.claim(secret, 'home'))).toBe('not_found');
    expect(await refusal(pairings.look(by(code)))).toBe('not_found');
  });

  test('is seen by the person who decides, however they type the code', async () => {
    const { code } = await begin();
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;

    expect(await pairings.look(by(typed))).toMatchObject({
      deviceName: 'Living room',
      userAgent: 'Tizen',
      address: '10.0.0.9',
    });
  });
});

describe('a decision', () => {
  test('holds once, also when two arrive at the same time', async () => {
    const { code } = await begin();

    const ended = await Promise.allSettled([pairings.accept(by(code)), pairings.accept(by(code))]);

    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await parts.accounts.sessions.list(anna)).toHaveLength(2);
  });

  test('is for sessions only: no API key, no identity and no plugin lets a device in', async () => {
    const { code } = await begin();

    for (const credentialKind of ['api-key', 'identity', 'server'] as const) {
      const other = { ...anna, credentialKind };
      expect(await refusal(pairings.look(by(code, other)))).toBe('forbidden');
      await expect(pairings.accept(by(code, other))).rejects.toMatchObject({ code: 'forbidden' });
      expect(await refusal(pairings.refuse(by(code, other)))).toBe('forbidden');
    }
  });

  test('does not hold when the session of the person has ended meanwhile', async () => {
    const { code, secret } = await begin();
    await parts.accounts.sessions.remove(anna.credentialId, anna);

    await expect(pairings.accept(by(code))).rejects.toMatchObject({ code: 'sign_in_again' });

    expect(await pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
  });

  test('stands in the audit log, and so do wrong codes', async () => {
    await pairings.accept({ ...by((await begin()).code), deviceName: undefined });
    expect(await refusal(pairings.look(by('BBBB BBBB')))).toBe('not_found');
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
    const codes = async (address: string, times = 11): Promise<readonly string[]> => {
      const told: string[] = [];
      for (let count = 0; count < times; count += 1) told.push(await refusal(begin(address)));
      return told;
    };

    expect((await codes('192.0.2.1')).filter((one) => one === 'too_often')).toHaveLength(1);
    await codes('192.0.2.2', 10);
    await codes('192.0.2.3', 10);
    expect(await codes('192.0.2.4', 1)).toEqual(['too_often']);
    for (const prefix of ['1:1', '1:2', '1:3']) await codes(`2001:db8:${prefix}::1`, 10);
    expect(await codes('2001:db8:1:4::1', 1)).toEqual(['too_often']);
    expect(await codes('198.51.100.1', 1)).toEqual(['none']);

    await parts.clock.advance(minute);
    expect(await codes('192.0.2.1', 1)).toEqual(['none']);
  });

  test('devices of many networks keep no other device from its code, and its code holds', async () => {
    const { secret } = await begin('198.51.100.1');
    const site = '10.1.1';
    await parts.database.write(async (trx) => {
      for (let no = 0; no < 1000; no += 1)
        await trx('pairings').insert({
          ...{ secret_hash: `${no}`, code_hash: `${no}`, token_hash: '', state: 'waiting' },
          ...{ household: `${site}.${no}`, site, begun_at: parts.clock.now() - 2 * minute + no },
        });
    });

    expect(await pairings.claim(secret, 'home')).toEqual({ status: 'waiting' });
    expect(await refusal(begin('203.0.113.1'))).toBe('none');
    expect(await parts.database.read('pairings').where({ site }).count()).toEqual([
      { 'count(*)': 999 },
    ]);
  });

  test('wrong codes make the person wait', async () => {
    for (let count = 0; count < 11; count += 1)
      expect(await refusal(pairings.look(by('no code')))).toBe('not_found');

    expect(await refusal(pairings.look(by((await begin()).code)))).toBe('too_many_attempts');
  });

  test('questions of the devices of one address are refused', async () => {
    const { secret } = await begin();
    for (let count = 0; count < 240; count += 1) await pairings.claim(secret, 'home');

    expect(await refusal(pairings.claim(secret, 'home'))).toBe('too_often');
    expect(await pairings.claim(secret, 'elsewhere')).toEqual({ status: 'waiting' });
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
