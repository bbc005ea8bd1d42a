import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bundleOf, deltaOf, readItem, readItems, uriOf, type FakeItem } from '../fake-item.ts';
import { decodeText } from '../../media-headers/charsets/decode-text.ts';
import { encodeText } from '../../../test/support/media/encode-text.ts';

const nfo = '<movie><title>Türme & Über</title></movie>';

const utf16 = (text: string, isLittle: boolean): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(isLittle ? bytes : bytes.swap16());
};

/** The captured warnings of the log. */
function silencedWarnings(): readonly unknown[][] {
  const spy = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  return spy.mock.calls;
}

describe('the text of a file', () => {
  test.each<[string, Uint8Array]>([
    ['UTF-8', new Uint8Array(Buffer.from(nfo))],
    ['UTF-8 with a mark', new Uint8Array(Buffer.from(`\ufeff${nfo}`))],
    ['UTF-16, low byte first', utf16(nfo, true)],
    ['UTF-16, high byte first', utf16(nfo, false)],
    ['windows-1252', new Uint8Array(Buffer.from(nfo, 'latin1'))],
  ])('in %s is understood', async (_, bytes) => {
    expect(decodeText(bytes, null)).toBe(nfo);
    expect(await deltaOf({ media: ['F/F.mkv'], beside: { 'F/F.nfo': bytes } })).toEqual({
      fields: { title: 'Türme & Über' },
    });
  });

  test.each(['windows-1251', 'koi8-r', 'ibm866'])(
    'in %s is understood, whether it names its encoding or not',
    async (charset) => {
      const title = 'Первая серия большого романа';
      for (const head of [`<?xml version="1.0" encoding="${charset}"?>`, '']) {
        const text = `${head}<movie><title>${title}</title></movie>`;
        const beside = { 'F/F.nfo': new Uint8Array(encodeText(text, charset)) };

        expect(await deltaOf({ media: ['F/F.mkv'], beside })).toEqual({ fields: { title } });
      }
    },
  );

  test('with any bytes is text', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);

    expect(decodeText(bytes, null)).toContain('ABC');
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x41), null)).toBe('\ufffd');
  });
});

describe('the host', () => {
  test('is called once for the texts of all items of a call, and reads each text once', async () => {
    const show = { 'S/tvshow.nfo': '<tvshow><title>S</title></tvshow>' };
    const episode = (number: number): FakeItem => ({
      media: [`S/Season 1/e${number}.mkv`],
      fields: { series: 'S', season: 1, episode: number },
      beside: {
        ...show,
        [`S/Season 1/e${number}.nfo`]: `<episodedetails><title>E${number}</title></episodedetails>`,
      },
    });

    const { deltas, calls } = await readItems([episode(1), episode(2)]);

    expect(calls.map(({ ranges }) => ranges.map(({ uri }) => uri).toSorted())).toEqual([
      [uriOf('S/Season 1/e1.nfo'), uriOf('S/Season 1/e2.nfo'), uriOf('S/tvshow.nfo')],
    ]);
    expect(deltas.map((delta) => delta?.fields?.['title'])).toEqual(['E1', 'E2']);
    expect(await deltaOf(episode(1))).toEqual(deltas[0]);
  });

  test('is called once for all texts of an item, and reads no more than they contain', async () => {
    const { calls } = await readItem({
      media: ['S/Season 1/e.mkv'],
      fields: { series: 'S', season: 1, episode: 1 },
      beside: {
        'S/tvshow.nfo': '<tvshow><title>S</title></tvshow>',
        'S/Season 1/e.nfo': '<episodedetails><title>E</title></episodedetails>',
        'S/Season 1/season.nfo': '<season><title>One</title></season>',
        'S/Season 1/e.en.srt': '1\n00:00:00 --> …',
        'S/poster.jpg': 'picture',
      },
      hasSizes: true,
    });

    expect(calls).toEqual([
      {
        ranges: [
          { uri: uriOf('S/Season 1/e.nfo'), offset: 0, length: 49 + 1024 },
          { uri: uriOf('S/Season 1/season.nfo'), offset: 0, length: 35 + 1024 },
          { uri: uriOf('S/tvshow.nfo'), offset: 0, length: 33 + 1024 },
        ],
      },
    ]);
  });

  test('never reads more than 4 MiB in all and 1 MiB of each text at once', async () => {
    const beside = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`A/${String(at)} a.lrc`, 'la']),
    );
    const media = Array.from({ length: 9 }, (_, at) => `A/${String(at)} a.mp3`);
    const { calls } = await readItem({ media, beside });

    expect(calls.map(({ ranges }) => ranges.length)).toEqual([4, 4, 1]);
    for (const { length } of calls.flatMap(({ ranges }) => ranges)) expect(length).toBe(1_048_576);
  });

  test.each<[string, Parameters<typeof readItem>[0]]>([
    ['without neighbours', { media: ['F/F.mkv'] }],
    [
      'with neighbours that are not texts',
      { media: ['F/F.mkv'], beside: ['F/poster.jpg', 'F/F.en.srt'] },
    ],
    [
      'with neighbours of others',
      { media: ['F/F.mkv'], beside: ['F/G.nfo', 'F/readme.txt', 'F/x.xml'] },
    ],
    ['that is a photo', { media: ['P/1.jpg'], beside: ['P/1.nfo', 'P/1.txt'] }],
  ])('is not called for an item %s', async (_, item) => {
    expect((await readItem(item)).calls).toEqual([]);
  });

  test('is not awaited when nothing is to be read: the answer is immediate', async () => {
    const { default: plugin } = await import('../index.ts');
    const hook = plugin.hooks?.['pipeline.probe.afterProcess'];
    const input = { itemId: 'i', bundle: bundleOf({ media: ['F/F.mkv'] }) };
    // The plugin makes no host call, so the host needs no methods.
    const host = {} as Parameters<NonNullable<typeof hook>>[1];

    expect(hook?.(input, host)).toBeNull();
  });
});

describe('a text of 1 MiB or more', () => {
  const large = `${nfo}${' '.repeat(1_048_576)}`;

  test.each([true, false])('is refused with a warning (size known: %s)', async (hasSizes) => {
    const warnings = silencedWarnings();

    const { delta, calls } = await readItem({
      media: ['F/F.mkv'],
      beside: { 'F/F.nfo': large },
      hasSizes,
    });

    expect(delta).toBeNull();
    expect(calls.flatMap(({ ranges }) => ranges)).toHaveLength(hasSizes ? 0 : 1);
    expect(warnings).toEqual([
      ['"F/F.nfo" is not read: a text beside media must be smaller than 1 MiB.'],
    ]);
  });

  test('does not keep the others from being read', async () => {
    silencedWarnings();
    const beside = { 'F/F.nfo': large, 'F/movie.nfo': '<movie><title>A</title></movie>' };

    expect(await deltaOf({ media: ['F/F.mkv'], beside, hasSizes: true })).toEqual({
      fields: { title: 'A' },
    });
  });
});
