/**
 * No mutation of a signed object is accepted: 20,000 of them, over passes, records and the messages
 * of clients. Most are refused by their form, which is cheap; the others keep the form and must be
 * refused by the signature, both with WebCrypto and by the rule alone.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesToSign,
  canonicalText,
  fromBase64url,
  openPass,
  openRecord,
  toBase64url,
  type SignedObject,
} from './index.ts';
import type { OpenedObject } from './signed-object.ts';
import { isSignedBothWays } from '../../../test/support/identity/verify-both-ways.ts';
import flow from './vectors/flow.json' with { type: 'json' };

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ';
const revocation = flow.records.revocation;

async function isAccepted(object: unknown, what: 'pass' | 'record'): Promise<boolean> {
  if (what === 'pass') {
    const pass = openPass(object);
    return typeof pass === 'object' && isSigned(pass.claims.userPubKey, pass.opened);
  }
  const record = openRecord('revocation', object);
  return record !== null && isSigned(record.record.userPubKey, record.opened);
}

const isSigned = (key: string, { bytes, signature }: OpenedObject): Promise<boolean> =>
  isSignedBothWays(key, bytes, signature);

/** One letter of payload or signature is changed, removed or doubled. */
const textMutation = fc
  .record({
    part: fc.constantFrom('payload', 'sig'),
    at: fc.nat(2000),
    letter: fc.nat(letters.length - 1),
    how: fc.constantFrom('replace', 'insert', 'remove'),
  })
  .map(({ part, at, letter, how }) => (object: SignedObject): SignedObject => {
    const text = object[part];
    const place = at % text.length;
    const inserted = how === 'remove' ? '' : letters.charAt(letter);
    const rest = text.slice(how === 'insert' ? place : place + 1);
    return { ...object, [part]: text.slice(0, place) + inserted + rest };
  });

/** One bit of payload or signature is changed; the form of the text stays valid. */
const bitMutation = fc
  .record({ part: fc.constantFrom('payload', 'sig'), at: fc.nat(4000), bit: fc.nat(7) })
  .map(({ part, at, bit }) => (object: SignedObject): SignedObject => {
    const bytes = fromBase64url(object[part]) ?? new Uint8Array();
    bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
    return { ...object, [part]: toBase64url(bytes) };
  });

describe('20,000 mutations are refused', () => {
  test.each([
    ['pass', flow.cert],
    ['record', revocation],
  ] as const)('of a %s', async (what, signed) => {
    expect(await isAccepted(signed, what)).toBe(true);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: textMutation }, bitMutation),
        async (mutate) => {
          const mutated = mutate(signed);
          fc.pre(mutated.payload !== signed.payload || mutated.sig !== signed.sig);
          expect(await isAccepted(mutated, what)).toBe(false);
        },
      ),
      { numRuns: 9000 },
    );
  });

  test('of the claims of a pass, under the signature of the old ones', async () => {
    const change = fc.constantFrom(
      ...Object.entries<readonly unknown[]>({
        appId: ['app_other', 'app_example2'],
        clientId: ['9b2f1c4e-5a6d-4e7f-8a9b-0c1d2e3f4a5c'],
        clientPubKey: [flow.keys.stranger.publicKey],
        deviceName: ['Kuche', 'TV'],
        exp: [flow.claims.exp + 1, flow.claims.exp - 1],
        iat: [flow.claims.iat + 1, flow.claims.iat - 1],
        scope: [['servers:*', 'servers:*'], [`servers:${flow.keys.server.publicKey}`]],
        userId: ['u_0123456788'],
        userPubKey: [flow.keys.stranger.publicKey],
      }).flatMap(([claim, values]) => values.map((value) => ({ [claim]: value }))),
    );
    await fc.assert(
      fc.asyncProperty(change, change, async (one, other) => {
        const claims = { ...flow.claims, ...one, ...other };
        const payload = toBase64url(bytesToSign(claims));
        expect(openPass({ payload, sig: flow.cert.sig })).toMatchObject({ claims });
        expect(await isAccepted({ payload, sig: flow.cert.sig }, 'pass')).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('of the text that a client signs to complete a sign-in', async () => {
    const { body, sig } = flow.complete;
    const text = canonicalText(body);
    const signature = fromBase64url(sig) ?? new Uint8Array();
    const { publicKey } = flow.keys.client;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1),
        fc.integer({ min: 1, max: 127 }),
        async (at, by) => {
          const bytes = new TextEncoder().encode(text);
          bytes[at] = (bytes[at] ?? 0) ^ by;
          expect(await isSignedBothWays(publicKey, bytes, signature)).toBe(false);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
