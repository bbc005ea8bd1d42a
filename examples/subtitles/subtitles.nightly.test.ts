/** Subtitles against a fake of OpenSubtitles, which does what its public documentation says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlugin, type NetRequest, type PluginUnderTest } from 'vitrine/plugin-test';

const key = 'key-of-the-admin';
const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello.\n';
let left = 3;

const row = (language: string, fileId: number) => ({
  attributes: { language, hearing_impaired: fileId === 8, files: [{ file_id: fileId }] },
});

function answer({ url, headers, body }: NetRequest) {
  if (headers['api-key'] !== key) return { status: 403, body: {} };
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/api/v1/download') {
    left -= 1;
    if (left < 0)
      return { status: 406, body: { message: 'You have downloaded your allowed subtitles' } };
    const { file_id: id } = JSON.parse(body ?? '') as { readonly file_id: number };
    return { body: { link: `https://www.opensubtitles.com/download/${id}.srt`, remaining: left } };
  }
  const known = searchParams.get('imdb_id') === '113277';
  return {
    body: { data: known ? [row('de', 7), row('en', 8), row('en', 9), row('fr', 10)] : [{}] },
  };
}

let plugin: PluginUnderTest;

beforeAll(async () => {
  plugin = await openPlugin(import.meta.dirname, {
    configuration: { languages: ['en', 'de'] },
    library: {
      ...{ movies: 0, episodes: 0, tracks: 0, books: 0, photos: 0 },
      items: [
        { title: 'Heat', metadata: { ids: { imdb: 'tt0113277' } } },
        { title: 'Nothing', metadata: { ids: { imdb: 'tt0000001' } } },
        { title: 'Home video' },
      ],
    },
    hosts: {
      'api.opensubtitles.com': answer,
      'www.opensubtitles.com': { body: srt },
    },
  });
});

afterAll(() => plugin.close());

const idOf = (title: string): string =>
  plugin.library.items().find((item) => item.title === title)?.id ?? '';
const find = (title: string) => plugin.action('find', { itemId: idOf(title) });
const given = (title: string) =>
  plugin.hook('pipeline.index.afterProcess', plugin.library.hookInput(idOf(title)));

test('says what is missing: the key, an id, subtitles', async () => {
  const refused = await plugin
    .action('find', { itemId: idOf('Heat') })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'not_found' });
  await plugin.setSecret('apiKey', 'another-key', { hosts: ['api.opensubtitles.com'] });
  expect(await find('Heat')).toEqual({ message: 'OpenSubtitles refuses the key.' });
  await plugin.setSecret('apiKey', key, { hosts: ['api.opensubtitles.com'] });

  expect(await find('Home video')).toMatchObject({ message: expect.stringContaining('IMDb') });
  expect(await find('Nothing')).toEqual({ message: 'Subtitles: –' });
  expect(await given('Heat')).toBeNull();
});

test('loads one track of each language, and gives them whenever the film is read in', async () => {
  expect(await find('Heat')).toEqual({ message: 'Subtitles: de, en' });

  expect(plugin.jobs()).toMatchObject([{ type: 'refresh', payload: { itemIds: [idOf('Heat')] } }]);
  expect(await given('Heat')).toMatchObject({
    subtitles: [
      { language: 'de', format: 'srt', text: srt, isHearingImpaired: false },
      { language: 'en', format: 'srt', text: srt, isHearingImpaired: true },
    ],
  });
  expect(await given('Nothing')).toBeNull();
  expect(await find('Heat')).toEqual({ message: 'OpenSubtitles gives no more files for now.' });
});
