import { beforeEach, describe, expect, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import type { JudgedPackage } from '../../../kernel/run/index.ts';
import {
  rotateKey,
  signIndex,
  type IndexVersion,
  type MarketplaceIndex,
} from '../../../kernel/run/packages/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPublisher } from '../../../test/support/plugins/packages.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { marketplaceMigrations } from './index.ts';
import { ofPackageItself, reasonIn, verdictOn } from './revocations.ts';
import { createSourceMemory, type SourceMemory } from './source-memory.ts';
import type { OpenSource } from './source.ts';

const clock = createFakeClock();
const [key, otherKey, next] = [createPublisher(), createPublisher(), createPublisher()];
const publisherKey = createPublisher().publicKey;
const sha256 = 'ab'.repeat(32);
const later = (days: number): string => new Date(clock.now() + days * 86_400_000).toISOString();

let open: () => Promise<SourceMemory>;
let take: (index: MarketplaceIndex) => Promise<SourceMemory>;

beforeEach(async () => {
  const { database } = await openTestStorage({ migrations: [marketplaceMigrations] });
  open = async () => {
    const memory = createSourceMemory({ database, clock });
    await memory.open();
    return memory;
  };
  take = async (index) => {
    const memory = await open();
    const admission = await memory.admit(index);
    await database.write((trx) => memory.keep(trx, admission));
    return open();
  };
});

const version = (changes: Partial<IndexVersion> = {}): IndexVersion => ({
  ...{ version: '1.0.0', url: 'a.vplugin', sha256, size: 1, minVersion: '>=0.1.0' },
  permissions: {},
  ...changes,
});

const indexOf = (
  sequence: number,
  versions: readonly IndexVersion[],
  { signer = key, ...changes }: Partial<MarketplaceIndex> & { readonly signer?: typeof key } = {},
): MarketplaceIndex =>
  signIndex(
    {
      ...{ name: 'A source', indexId: '12'.repeat(16), sequence },
      ...{ updatedAt: later(0), expiresAt: later(14) },
      plugins: [
        {
          ...{ id: 'a', name: 'A', description: 'A test.', author: 'A test', license: 'MIT' },
          ...{ publisherKey, versions },
        },
      ],
      ...changes,
    },
    signer,
  );

const installed: JudgedPackage = {
  ...{ pluginId: 'a', version: '1.0.0', sha256, publisherKey, source: 'gone', revoked: null },
};
const verdict = (memory: SourceMemory, judged = installed): string | null =>
  verdictOn(memory.revocations(), judged, undefined);
const leaks = version({ revoked: 'It leaks.' });
const said = 'A source revoked version 1.0.0: It leaks.';

describe('a revocation', () => {
  test('is permanent, unless the same index withdraws it later', async () => {
    const after = await take(indexOf(1, [leaks]));
    const withoutIt = await take(
      indexOf(2, [version({ version: '2.0.0', sha256: 'cd'.repeat(32) })]),
    );
    const byAnother = await take(indexOf(9, [version()], { signer: otherKey }));
    const byAnotherIndex = await take(indexOf(9, [version()], { indexId: '34'.repeat(16) }));
    const takenBack = await take(indexOf(3, [version()]));

    expect([after, withoutIt, byAnother, byAnotherIndex].map((one) => verdict(one))).toEqual(
      Array<string>(4).fill(said),
    );
    expect(verdict(takenBack)).toBeNull();
    await expect(take(indexOf(1, [leaks]))).rejects.toMatchObject({ code: 'INDEX_INVALID' });
  });

  test('is told in the language of the reader, with the words of its publisher as they are', async () => {
    const inGerman = (memory: SourceMemory) =>
      verdictOn(memory.revocations(), installed, undefined, 'de-AT');
    const withReason = await take(indexOf(1, [leaks]));
    expect(inGerman(withReason)).toBe('A source hat die Version 1.0.0 widerrufen: It leaks.');
    const without = await take(indexOf(2, [version({ revoked: true })]));
    expect(verdict(without)).toBe('A source revoked version 1.0.0: The source gives no reason.');
    expect(inGerman(without)).toBe(
      'A source hat die Version 1.0.0 widerrufen: Die Quelle nennt keinen Grund.',
    );
    expect(reasonIn({ revoked: true }, 'de')).toBe('Die Quelle nennt keinen Grund.');
  });

  test('by two sources holds until both have withdrawn it', async () => {
    await take(indexOf(1, [leaks]));
    await take(indexOf(1, [leaks], { signer: otherKey, name: 'Another' }));
    const byOne = await take(indexOf(2, [version()]));
    const byBoth = await take(indexOf(2, [version()], { signer: otherKey }));

    expect(verdict(byOne)).toBe('Another revoked version 1.0.0: It leaks.');
    expect(verdict(byBoth)).toBeNull();
  });

  test('of a key stops all of its packages until the list no longer contains it', async () => {
    const revokedKeys = [{ publisherKey, reason: 'Stolen.' }];
    const revoked = await take(indexOf(1, [version()], { revokedKeys }));
    const later = await take(indexOf(2, [version()]));

    expect(verdict(revoked, { ...installed, sha256: 'ef'.repeat(32) })).toBe(
      'A source revoked the key of its publisher: Stolen.',
    );
    expect(verdict(later)).toBeNull();
  });

  test('by version stays with the package when its source is removed', async () => {
    const index = indexOf(1, [version({ sha256: 'cd'.repeat(32), revoked: 'It leaks.' })]);
    const memory = await take(index);
    const origin = { index } as OpenSource;
    const own = ofPackageItself(memory.revocations(), installed, origin);
    await memory.add(own);

    expect(verdictOn(memory.revocations(), installed, origin)).toBe(said);
    expect(verdict(await open())).toBe(said);
    expect(ofPackageItself(memory.revocations(), installed, origin)).toEqual([]);
  });

  test('can be withdrawn with the key that replaced the source’s key', async () => {
    await take(indexOf(1, [leaks]));
    const record = rotateKey(key, { to: next.publicKey, issuedAt: later(0), packages: [] });
    const memory = await take(indexOf(2, [version()], { signer: next, rotations: [record] }));

    expect(verdict(memory)).toBeNull();
    await expect(take(indexOf(3, [version()]))).rejects.toMatchObject({
      code: 'PUBLISHER_CHANGED',
    });
  });

  test('keeps its state without a statement of any source', async () => {
    const memory = await open();

    expect(verdict(memory, { ...installed, revoked: 'Before.' })).toBe('Before.');
  });
});

describe('an index', () => {
  test('is refused with a lower sequence, or with other content under its sequence', async () => {
    await take(indexOf(5, [version()]));

    await expect(take(indexOf(4, [version()]))).rejects.toThrow(/sequence 4, but 5 was seen/);
    await expect(take(indexOf(5, [leaks]))).rejects.toThrow(/but different content/);
    expect(verdict(await take(indexOf(5, [version()])))).toBeNull();
  });

  test('is tracked by its key and its id', async () => {
    await take(indexOf(5, [version()]));
    await take(indexOf(1, [version()], { signer: otherKey }));
    await take(indexOf(1, [version()], { indexId: '34'.repeat(16) }));

    expect((await open()).revocations()).toEqual([]);
  });

  test('from the future is refused, because it would last too long', async () => {
    const index = indexOf(1, [version()], { updatedAt: later(2), expiresAt: later(20) });

    await expect(take(index)).rejects.toThrow(/is in the future: a clock is wrong/);
  });

  testByNight('with too many revocations is refused', async () => {
    const many = (from: number): readonly IndexVersion[] =>
      Array.from({ length: 7000 }, (_, at) =>
        version({
          version: `1.0.${at}`,
          sha256: (from + at).toString(16).padStart(64, '0'),
          revoked: true,
        }),
      );
    await take(indexOf(1, many(0)));
    await take(indexOf(2, many(10_000)));

    await expect(take(indexOf(3, many(20_000)))).rejects.toThrow(/at most 20000 revocations/);
    expect((await open()).revocations()).toHaveLength(14_000);
  });
});

test('the first record that replaces a key counts, in any source', async () => {
  const rotation = (to: string) => rotateKey(otherKey, { to, issuedAt: later(0), packages: [] });
  const [honest, stolen] = [rotation(next.publicKey), rotation(publisherKey)];
  await take(indexOf(1, [version()], { rotations: [honest] }));
  const memory = await take(indexOf(2, [version()], { rotations: [stolen] }));

  expect(memory.rotations()).toEqual([honest]);
});
