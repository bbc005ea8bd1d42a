/** Each source is asked by itself: one that is away or slow takes nothing from the others. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Identification } from '../../../plugin-api/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  everything,
  openTestIngestion,
  type TestIngestion,
} from '../../../test/support/library/ingestion.ts';

const said = (source: string, more: object = {}): Identification => ({
  title: 'Heat',
  metadata: { [source]: `What ${source} says.`, ...more },
  confidence: 0.9,
  match: { id: `${source}:1` },
});

let ingestion: TestIngestion;
let first: () => Identification | 'later' | null | Promise<Identification>;
let second: () => Identification | 'later' | null;

beforeEach(async () => {
  first = () => said('first');
  second = () => said('second');
  ingestion = await openTestIngestion({
    full: { first: () => first(), second: () => second() },
    remote: ['first', 'second'],
  });
  onTestFinished(ingestion.close);
  await ingestion.scan(['Heat (1995)/a.mkv']);
  await ingestion.run();
});

const item = async () => {
  const { items } = await ingestion.library.items.list(everything, {});
  return ingestion.library.items.get(items[0]?.id ?? '', everything);
};
const shown = async () => {
  const { metadata } = await item();
  return [metadata['first'], metadata['second']];
};
const lookUp = async (source: string): Promise<void> => {
  await ingestion.lookUpLater(ingestion.libraryId, [(await item()).id], source);
};
const asked = (): readonly string[] =>
  ingestion.calls
    .flatMap(({ pluginId, method, input }) =>
      method === 'indexer.index' && (input as { stage?: string }).stage === 'full' ? pluginId : [],
    )
    .filter((pluginId) => pluginId !== 'by-folder');
const waiting = async () => ingestion.waiting((await item()).id);

describe('a source on the network', () => {
  test('is asked by itself: the data of one that works come at once, and only one that is away is asked again', async () => {
    first = () => 'later';
    const before = await waiting();
    await lookUp('first');
    await lookUp('second');
    await ingestion.jobs.idle();
    const without = { shown: await shown(), waiting: await waiting(), asked: asked().toSorted() };
    first = () => said('first');
    await lookUp('first');
    await ingestion.jobs.idle();

    expect(before).toEqual({ first: 'waits', second: 'waits' });
    expect(without).toEqual({
      shown: [undefined, 'What second says.'],
      waiting: { first: 'later' },
      asked: ['first', 'second'],
    });
    expect(await shown()).toEqual(['What first says.', 'What second says.']);
    expect(asked().toSorted()).toEqual(['first', 'first', 'second']);
    expect(await waiting()).toEqual({});
  });

  test('that is away keeps what it said, and takes nothing of what another says next', async () => {
    await ingestion.run({ type: 'refresh' });
    first = () => 'later';
    second = () => said('second', { second: 'News.' });
    await ingestion.run({ type: 'refresh' });

    expect(await shown()).toEqual(['What first says.', 'News.']);
    expect(await waiting()).toEqual({ first: 'later' });
  });

  test('that is slow is asked once, and does not undo what another said meanwhile', async () => {
    let answer: (said: Identification) => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      first = () => {
        resolve();
        return new Promise((settle) => {
          answer = settle;
        });
      };
    });
    await lookUp('first');
    await isAsked;
    await lookUp('second');
    await eventually('the other one is there', async () => (await shown())[1] !== undefined);
    answer(said('first'));
    await ingestion.jobs.idle();

    expect(await shown()).toEqual(['What first says.', 'What second says.']);
    expect(asked()).toEqual(['first', 'second']);
    expect(await waiting()).toEqual({});
  });

  test('that is not sure is asked again when another one gives the item an id', async () => {
    second = () => null;
    await lookUp('second');
    await ingestion.jobs.idle();
    const unsure = await waiting();
    first = () => said('first', { ids: { imdb: 'tt0113277' } });
    await lookUp('first');
    await ingestion.jobs.idle();

    expect(unsure).toEqual({ first: 'waits' });
    expect(await waiting()).toEqual({ second: 'waits' });
  });

  test.each([
    [{ source: '' }, 'payload.source'],
    [{ source: 'first' }, 'payload.itemIds'],
    [{ source: 7, itemIds: ['a'] }, 'payload.source'],
  ])('is not asked by a refresh with the payload %j', async (payload, named) => {
    await expect(ingestion.run({ type: 'refresh', payload })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { what: expect.stringContaining(named) },
    });
  });
});
