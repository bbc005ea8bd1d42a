/** Test vectors: our own flow, and published ones where their folder lies beside the project. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Point } from '@noble/ed25519';
import canonicalize from 'canonicalize';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  bytesToSign,
  canonicalText,
  fromBase64url,
  fromHex32,
  isPassSigned,
  isSignedObjectBy,
  openPass,
  openRecord,
  publicKeyOf,
  sealSigned,
  signWith,
  toBase64url,
  toHex,
} from './index.ts';
import { createIsSignedBy } from './ed25519.ts';
import type { RecordKind } from './records.ts';
import { isPlainPoint } from './point-bytes.ts';
import type * as identityProtocol from './index.ts';
import { loadFresh } from '../../../test/support/run/load-fresh.ts';
import { isSignedBothWays } from '../../../test/support/identity/verify-both-ways.ts';
import extracts from './vectors/extracts.json' with { type: 'json' };
import flow from './vectors/flow.json' with { type: 'json' };
import malformed from './vectors/malformed.json' with { type: 'json' };

const others = path.resolve(import.meta.dirname, '../../../../shared/data/vectors');
const hasOthers = existsSync(others);
const textOf = (name: string): string => readFileSync(path.join(others, name), 'utf8');
const parsed = <Shape>(name: string): Shape => JSON.parse(textOf(name)) as Shape;
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

type KeyName = keyof typeof flow.keys;
const by = (name: KeyName) => (bytes: Uint8Array) =>
  signWith(fromHex32(flow.keys[name].privateKey), bytes);

describe('our own flow', () => {
  test.each(Object.entries(flow.keys))(
    '%s has the public key of its private key',
    async (_, key) => {
      expect(await publicKeyOf(fromHex32(key.privateKey))).toBe(key.publicKey);
    },
  );

  test('the pass is the exact encoding of its claims, and is signed', async () => {
    expect(await sealSigned(flow.claims, by('identity'))).toEqual(flow.cert);
    const pass = openPass(flow.cert);
    expect(pass).toMatchObject({ claims: flow.claims });
    expect(typeof pass === 'object' && (await isPassSigned(pass))).toBe(true);
  });

  test.each([flow.complete, flow.renewal])(
    'the client signs the data that it sends',
    async ({ body, sig }) => {
      expect(toBase64url(await by('client')(bytesToSign(body)))).toBe(sig);
      const signature = fromBase64url(sig) ?? new Uint8Array();
      const { publicKey } = flow.keys.client;
      expect(await isSignedBothWays(publicKey, bytesToSign(body), signature)).toBe(true);
      expect(
        await isSignedBothWays(flow.keys.stranger.publicKey, bytesToSign(body), signature),
      ).toBe(false);
    },
  );

  test.each(Object.entries(flow.records))('%s is read only as its own kind', async (kind, sent) => {
    const { payload, sig } = sent;
    const signer: KeyName = kind === 'server-link-request' ? 'server' : 'identity';
    const record = openRecord(kind as RecordKind, { payload, sig });
    expect(record).not.toBeNull();
    if (record)
      expect(await isSignedObjectBy(flow.keys[signer].publicKey, record.opened)).toBe(true);
    for (const other of Object.keys(flow.records))
      if (other !== kind) expect(openRecord(other as RecordKind, { payload, sig })).toBeNull();
    expect(openPass({ payload, sig })).toBe('cert_malformed');
  });

  test('a rotation is also signed by the new key', async () => {
    const { payload, sig, newSig } = flow.records['key-rotation'];
    const record = openRecord('key-rotation', { payload, sig });
    const signature = fromBase64url(newSig) ?? new Uint8Array();
    const bytes = record?.opened.bytes ?? new Uint8Array();
    expect(await isSignedBothWays(flow.keys.newIdentity.publicKey, bytes, signature)).toBe(true);
  });
});

describe('a pass is refused before its signature is verified when it has', () => {
  test.each(malformed.passes)('$name: $code', ({ code, cert }) => {
    expect(openPass(cert)).toBe(code);
  });
});

describe('extracts of published vectors, which are always available', () => {
  test.each(extracts.rfc8032)(
    'RFC 8032, section 7.1, key $publicKey',
    async ({ privateKey, publicKey, msg, sig }) => {
      expect(await publicKeyOf(hex(privateKey))).toBe(publicKey);
      expect(toHex(await signWith(hex(privateKey), hex(msg)))).toBe(sig);
      expect(await isSignedBothWays(publicKey, hex(msg), hex(sig))).toBe(true);
      expect(await isSignedBothWays(publicKey, hex(`${msg}00`), hex(sig))).toBe(false);
    },
  );

  test.each(extracts.wycheproof)('Wycheproof $tcId: $about', async ({ key, msg, sig, isValid }) => {
    expect(await isSignedBothWays(key, hex(msg), hex(sig))).toBe(isValid);
  });

  test.each(extracts.speccheck)('speccheck $case', async ({ key, msg, sig, isAccepted }) => {
    expect(await isSignedBothWays(key, hex(msg), hex(sig))).toBe(isAccepted);
  });

  test.each(extracts.rfc8785Numbers)('RFC 8785, appendix B: $text', ({ bits, text }) => {
    // Our objects contain no fractions, so only the serializer is tested.
    expect(canonicalize(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  test('RFC 8785: keys are sorted by UTF-16 code units, texts are not normalized', () => {
    expect(canonicalText({ '\ufb33': 1, '😀': 2, ö: 3, 'o\u0308': 4 })).toBe(
      '{"o\u0308":4,"ö":3,"😀":2,"\ufb33":1}',
    );
  });

  test('no signature is valid with a key of small order', async () => {
    const small = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa';
    expect(await isSignedBothWays(small, hex('00'), hex(small + '00'.repeat(32)))).toBe(false);
  });
});

describe.skipIf(!hasOthers)('published vectors (need ../shared/data/vectors)', () => {
  test('RFC 8032: all keys, signatures and checks', async () => {
    const cases = parsed<{ priv: string; pub: string; msg: string; sig: string }[]>('rfc8032.json');
    expect(cases.length).toBeGreaterThan(3);
    for (const { priv, pub, msg, sig } of cases) {
      expect(await publicKeyOf(hex(priv))).toBe(pub);
      expect(toHex(await signWith(hex(priv), hex(msg)))).toBe(sig);
      expect(await isSignedBothWays(pub, hex(msg), hex(sig))).toBe(true);
    }
  });

  test.each(['arrays', 'french', 'structures', 'unicode', 'values', 'weird'])(
    'RFC 8785: %s',
    (name) => {
      const value = parsed<unknown>(`rfc8785/input/${name}.json`);
      // These contain fractions and null, which our objects may not contain, so only the serializer
      // is tested.
      const bytes = Buffer.from(canonicalize(value) ?? '');
      expect(bytes.toString()).toBe(textOf(`rfc8785/output/${name}.json`).trimEnd());
      expect(bytes.toString('hex')).toBe(textOf(`rfc8785/outhex/${name}.txt`).replace(/\s+/g, ''));
    },
  );

  test('Wycheproof: all of Ed25519', async () => {
    const { testGroups } = parsed<{
      testGroups: {
        publicKey: { pk: string };
        tests: { tcId: number; msg: string; sig: string; result: string }[];
      }[];
    }>('wycheproof-ed25519.json');
    const wrong: number[] = [];
    let count = 0;
    for (const { publicKey, tests } of testGroups)
      for (const { tcId, msg, sig, result } of tests) {
        count += 1;
        const isAccepted = await isSignedBothWays(publicKey.pk, hex(msg), hex(sig));
        if (isAccepted !== (result === 'valid')) wrong.push(tcId);
      }
    expect({ wrong, count }).toEqual({ wrong: [], count: 151 });
  });

  test('speccheck: the twelve edge cases have the result of the protocol', async () => {
    const cases =
      parsed<{ message: string; pub_key: string; signature: string }[]>('speccheck.json');
    const verdicts = await Promise.all(
      cases.map(async ({ message, pub_key: key, signature }) =>
        (await isSignedBothWays(key, hex(message), hex(signature))) ? 'V' : 'X',
      ),
    );
    expect(verdicts.join('')).toBe('XXXVVVXXXXXX');
  });
});

describe('without WebCrypto, as in React Native', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('passes are created and verified', async () => {
    vi.stubGlobal('crypto', undefined);
    const alone = await loadFresh<typeof identityProtocol>(import.meta.resolve('./index.ts'));
    const { privateKey, publicKey } = flow.keys.identity;
    const sign = (bytes: Uint8Array) => alone.signWith(fromHex32(privateKey), bytes);

    expect(await alone.publicKeyOf(fromHex32(privateKey))).toBe(publicKey);
    expect(await alone.sealSigned(flow.claims, sign)).toEqual(flow.cert);
    const pass = alone.openPass(flow.cert);
    expect(typeof pass === 'object' && (await alone.isPassSigned(pass))).toBe(true);
    const other = alone.openPass({ ...flow.cert, sig: flow.records.revocation.sig });
    expect(typeof other === 'object' && (await alone.isPassSigned(other))).toBe(false);
  });
});

describe('the result of WebCrypto', () => {
  const { publicKey } = flow.keys.client;
  const bytes = bytesToSign(flow.complete.body);
  const signature = fromBase64url(flow.complete.sig) ?? new Uint8Array();
  const zeros = new Uint8Array(64);

  test('is ignored when it does not support Ed25519: the rule decides', async () => {
    const check = createIsSignedBy(() => Promise.reject(new Error('NotSupportedError')));

    expect(await check(publicKey, bytes, signature)).toBe(true);
    expect(await check(publicKey, bytes, zeros)).toBe(false);
  });

  test('is not requested for points of small order, or non-canonical ones', async () => {
    const check = createIsSignedBy(() => Promise.reject(new Error('It was asked.')));
    const yes = createIsSignedBy(async () => true);
    const small = hex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');
    expect(Point.fromBytes(small, false).isSmallOrder()).toBe(true);
    const odd = [small, hex(`ee${'ff'.repeat(30)}7f`), hex(`01${'00'.repeat(30)}80`)];

    for (const point of odd) {
      const forged = Uint8Array.from([...point, ...signature.subarray(32)]);
      expect(await yes(publicKey, bytes, forged)).toBe(false);
      expect(await yes(toHex(point), bytes, signature)).toBe(false);
      expect(await check(publicKey, bytes, forged)).toBe(false);
    }
    const large = Uint8Array.from([...signature.subarray(0, 32), ...hex('ff'.repeat(32))]);
    expect(await yes(publicKey, bytes, large)).toBe(false);
  });

  test('the five y of small order are complete', () => {
    const torsion = Point.fromBytes(
      hex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
      false,
    );
    const encoded = Array.from({ length: 8 }, (_, times) =>
      (times === 0 ? Point.ZERO : torsion.multiply(BigInt(times), false)).toBytes(),
    );

    expect(new Set(encoded.map(toHex)).size).toBe(8);
    expect(encoded.filter(isPlainPoint)).toEqual([]);
    expect(isPlainPoint(Point.BASE.toBytes())).toBe(true);
  });
});

test('our vectors have distinct bytes to sign', () => {
  const digests = [
    flow.cert.payload,
    ...Object.values(flow.records).map(({ payload }) => payload),
    canonicalText(flow.complete.body),
    canonicalText(flow.renewal.body),
  ].map((text) => createHash('sha256').update(text).digest('hex'));
  expect(new Set(digests).size).toBe(digests.length);
});
