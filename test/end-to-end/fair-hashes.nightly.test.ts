/** Hashes of passwords are shared out: who floods a server with them keeps nobody else from signing in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPasswords, type HashFor } from '../../src/people/credentials/index.ts';
import { eventually } from '../support/eventually.ts';
import {
  openHomeServer,
  password,
  type HomeServer,
  type LocalUser,
} from '../support/identity/home-server.ts';
import { createMovingClock } from '../support/identity/moving-clock.ts';

/** The hashes that began, in order. */
let begun: HashFor[] = [];
/** Which hashes last until the test ends them. */
let isHeld: (of: HashFor) => boolean = () => false;
const held: (() => void)[] = [];
let server: HomeServer;
let kid: LocalUser;

const passwords = createPasswords({
  cost: { memoryKib: 8, passes: 1 },
  onHash: (of) => {
    begun.push(of);
    return isHeld(of) ? new Promise<void>((end) => held.push(end)) : undefined;
  },
});

beforeAll(async () => {
  const settings = { trustedProxy: ['127.0.0.1'] };
  const clock = createMovingClock();
  server = await openHomeServer({
    name: 'Home',
    identityUrl: 'http://127.0.0.1:1',
    clock,
    settings,
    passwords,
  });
  await server.join('Ada', 'admin');
  kid = await server.join('Kid');
});

afterAll(() => server.stop());

beforeEach(() => {
  begun = [];
});

function endAll(): void {
  isHeld = () => false;
  for (const end of held.splice(0)) end();
}

/** Sends a request from an address, and notes its status where the answer comes. */
function flood(
  statuses: number[],
  route: string,
  asked: { readonly body: object; readonly token: string; readonly address: string },
): Promise<unknown> {
  const { body, token, address } = asked;
  return server
    .ask(route, { body, token, headers: { 'x-forwarded-for': address } })
    .then(({ status }) => statuses.push(status));
}

const signIn = async (address: string): Promise<number> => {
  const body = { name: 'Ada', password };
  const headers = { 'x-forwarded-for': address };
  return (await server.ask('/api/auth/login', { body, token: '', headers })).status;
};

const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length;

describe('a sign-in', () => {
  test('waits for no PIN, while a user sets PINs over 45 connections', async () => {
    isHeld = ({ purpose }) => purpose === 'pin';
    const statuses: number[] = [];
    const pins = Array.from({ length: 45 }, (_, n) => {
      const body = { name: `Profile ${n}`, pin: '2468' };
      return flood(statuses, '/api/profiles', { body, token: kid.token, address: '10.9.9.9' });
    });
    await eventually('all but three are refused', () => statuses.length === 42);

    expect(await signIn('203.0.113.7')).toBe(200);

    expect(begun.map(({ purpose }) => purpose)).toEqual(['pin', 'sign-in']);
    endAll();
    await Promise.all(pins);
    expect([countOf(statuses, 429), countOf(statuses, 201)]).toEqual([42, 3]);
  });

  test('from where the person is signed in is the next, while strangers flood from six networks', async () => {
    expect(await signIn('198.51.100.7')).toBe(200);
    begun = [];
    isHeld = (of) => 'address' in of;
    const statuses: number[] = [];
    const guesses = Array.from({ length: 90 }, (_, n) => {
      const body = { name: `Nobody ${n}`, password: 'a wrong guess' };
      const address = `10.0.${n % 6}.1`;
      return flood(statuses, '/api/auth/login', { body, token: '', address });
    });
    await eventually('two are checked and twelve wait', () => statuses.length === 90 - 14);

    const known: number[] = [];
    const signIns = [1, 2, 3].map(async () => known.push(await signIn('198.51.100.7')));
    await eventually('two wait and the third is refused', () => known.length === 1);
    for (const count of [2, 3]) {
      held.shift()?.();
      await eventually('one more has signed in', () => known.length === count);
    }

    expect(known).toEqual([429, 200, 200]);
    const lanes = begun.slice(0, 5).map((of) => ('address' in of ? 'stranger' : 'known'));
    expect(lanes).toEqual(['stranger', 'stranger', 'known', 'stranger', 'known']);
    endAll();
    await Promise.all(signIns);
    await Promise.all(guesses);
    expect([countOf(statuses, 429), countOf(statuses, 401)]).toEqual([76, 14]);
  });
});
