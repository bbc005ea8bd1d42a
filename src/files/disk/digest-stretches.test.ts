import { describe, expect, test } from 'vitest';
import type { TreeStretch } from './disk.ts';
import { digestStretches } from './digest-stretches.ts';

const first = { path: '/films', after: '', through: 'a', naming: 'file:///films' };
const next = [
  { known: 'digest of b', through: 'b' },
  { known: 'digest of c', through: 'c' },
  { known: 'digest of the rest', through: null },
];

/** Digests of stretches, by where they end. */
function disk(others: Readonly<Record<string, string | null>> = {}) {
  const asked: TreeStretch[] = [];
  const ask = async (stretch: TreeStretch): Promise<string> => {
    asked.push(stretch);
    const end = stretch.through ?? 'the rest';
    return JSON.stringify({ digest: end in others ? others[end] : `digest of ${end}` });
  };
  return { asked, ask };
}

async function passed(others?: Readonly<Record<string, string | null>>) {
  const { asked, ask } = disk(others);
  const text = await digestStretches(ask, { ...first, known: 'digest of a', next }, () => 0);
  return { ...JSON.parse(String(text)), asked: asked.length };
}

describe('the digests of consecutive stretches', () => {
  test('are made one by one, each from the end of the one before', async () => {
    const { asked, ask } = disk();

    const text = await digestStretches(ask, { ...first, known: 'digest of a', next }, () => 0);

    expect(JSON.parse(String(text))).toEqual({ digest: 'digest of the rest', passed: 4 });
    expect(asked.map(({ after, through }) => [after, through])).toEqual([
      ['', 'a'],
      ['a', 'b'],
      ['b', 'c'],
      ['c', null],
    ]);
  });

  test('end with the first that changed or has no digest', async () => {
    expect(await passed({ a: 'new' })).toEqual({ digest: 'new', passed: 0, asked: 1 });
    expect(await passed({ c: 'new' })).toEqual({ digest: 'new', passed: 2, asked: 3 });
    expect(await passed({ b: null })).toEqual({ digest: null, passed: 1, asked: 2 });
  });

  test('end after a fifth of a second with those that were made, at least one', async () => {
    const { asked, ask } = disk();
    let now = 0;

    const clock = () => (now += 90);
    const text = await digestStretches(ask, { ...first, known: 'digest of a', next }, clock);

    expect(JSON.parse(String(text))).toEqual({ digest: 'digest of c', passed: 3 });
    expect(asked).toHaveLength(3);
  });

  test('are one if none is known: its answer, unchanged', async () => {
    const { asked, ask } = disk();

    expect(await digestStretches(ask, { ...first, next }, () => 0)).toBe(
      '{"digest":"digest of a"}',
    );
    expect(asked).toEqual([first]);
  });
});
