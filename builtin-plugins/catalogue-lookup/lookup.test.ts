import { describe, expect, test, vi } from 'vitest';
import type { IndexFile } from '../../plugin-api/index.ts';
import { NotNow } from './ask.ts';
import {
  candidatesFor,
  each,
  identifyFiles,
  type ListedEntry,
  type Lookup,
  type Wanted,
} from './lookup.ts';

const heat = { id: '1', title: 'Heat', year: 1995 };

function made(search: (wanted: Wanted) => readonly ListedEntry[]) {
  const asked: Omit<Wanted, 'question'>[] = [];
  const lookup: Lookup = {
    questionOf: ({ known }) =>
      known === undefined ? null : { ...known.metadata, title: known.title },
    search: each(async ({ question, ...wanted }) => {
      asked.push(wanted);
      return search({ question, ...wanted });
    }),
    write: each(async ({ id, confidence }) => {
      if (id === 'gone') throw new NotNow('away');
      return { title: `Entry ${id}`, metadata: {}, confidence, match: { id } };
    }),
  };
  return { lookup, asked };
}

const file = (title: string, metadata: object = {}, more: object = {}): IndexFile => ({
  path: `${title}.mkv`,
  size: 1,
  known: { title, metadata: { ...metadata }, ids: {} },
  ...more,
});

describe('a lookup', () => {
  test('asks with the year, without it, and by another title, until an answer is sure', async () => {
    const { lookup, asked } = made(({ title }) => (title === 'Feuer' ? [heat] : []));
    const { results } = await identifyFiles(
      [file('Hitze', { year: 1995, otherTitles: ['Feuer', 'Heat'] })],
      lookup,
    );

    expect(asked).toEqual([{ title: 'Hitze', year: 1995 }, { title: 'Hitze' }, { title: 'Feuer' }]);
    expect(results).toMatchObject([{ title: 'Entry 1', confidence: 0.99 }]);
  });

  test('searches nothing for an entry that a person chose', async () => {
    const { lookup, asked } = made(() => [heat]);
    const { results } = await identifyFiles([file('x', {}, { match: { id: '9' } })], lookup);

    expect(asked).toEqual([]);
    expect(results).toMatchObject([{ title: 'Entry 9', confidence: 1 }]);
  });

  test('fetches nothing about an entry that is not sure, and gives what it may be', async () => {
    const remake = { ...heat, id: '2' };
    const { lookup } = made(({ title }) => (title === 'Heat' ? [heat, remake] : []));
    const write = vi.fn(lookup.write);
    const files = [file('Heat', { year: 1995 }), file('Unknown')];
    const { results, candidates } = await identifyFiles(files, { ...lookup, write });

    expect(write).toHaveBeenCalledWith([]);
    expect(results).toEqual([null, null]);
    expect(candidates).toEqual([
      [
        { id: '1', title: 'Heat', year: 1995, confidence: 0.97 },
        { id: '2', title: 'Heat', year: 1995, confidence: 0.97 },
      ],
      [],
    ]);
  });

  test('asks again only about the files whose answers did not come', async () => {
    const { lookup } = made(({ title }) => {
      if (title === 'Away') throw new NotNow('429');
      return [{ ...heat, title, id: title === 'Half' ? 'gone' : '1' }];
    });
    const { results, later } = await identifyFiles(
      [file('Away'), file('Heat'), file('Half')],
      lookup,
    );

    expect(results.map((one) => one?.title)).toEqual([undefined, 'Entry 1', undefined]);
    expect(later).toEqual([0, 2]);
  });

  test('answers for the other files when what is said of one makes no sense', async () => {
    const { lookup } = made(({ title }) => {
      if (title === 'Bad') throw new TypeError('list.map is not a function');
      return [{ ...heat, title }];
    });
    const { results, later } = await identifyFiles([file('Bad'), file('Heat')], lookup);

    expect(results.map((one) => one?.title)).toEqual([undefined, 'Entry 1']);
    expect(later).toEqual([0]);
  });

  test('fails as a whole when asking again would not help', async () => {
    const { lookup } = made(() => {
      throw new Error('The key is wrong.');
    });

    await expect(identifyFiles([file('Heat')], lookup)).rejects.toThrow('key');
  });

  test('offers candidates to a person, best first, with what is known of each', async () => {
    const { lookup } = made(() => [
      { id: '2', title: 'Heated' },
      { ...heat, overview: 'x' },
    ]);

    expect(await candidatesFor({ title: 'Heat', year: 1995 }, lookup)).toEqual([
      { id: '1', title: 'Heat', confidence: 0.97, year: 1995, overview: 'x' },
      { id: '2', title: 'Heated', confidence: expect.any(Number) as number },
    ]);
  });
});
