/**
 * Every list in the API that limits says what an empty list and `null` mean, since they differ. A list that
 * stands for everything when it is empty opens everything to a client that computed nothing.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { readApiDocument } from '../support/servers/api-document.ts';

interface Found {
  readonly place: string;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

let lists: readonly Found[];

beforeAll(async () => {
  lists = [...listsIn(JSON.parse(await readApiDocument()), '')];
});

/** Each property that is a list, also one that may be `null`. */
function* listsIn(value: unknown, place: string): Generator<Found> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, schema] of Object.entries(value as Record<string, unknown>)) {
    const at = `${place}/${name}`;
    if (
      place.endsWith('/properties') &&
      [(schema as { type: unknown }).type].flat().includes('array')
    )
      yield { place: at, name, schema: schema as Found['schema'] };
    yield* listsIn(schema, at);
  }
}

/** Names of lists that limit what a person, a key or a plugin may do. */
const limiting = new Set(['libraryAccess', 'scopes', 'libraries', 'routes', 'hosts', 'folders']);

/** Lists of these names that limit nothing, or that only add; each with its reason. */
const others: readonly (readonly [RegExp, string])[] = [
  [/schemas\/(Group|NewGroup|GroupChanges)\/properties\/libraryAccess$/, 'adds to what users see'],
  [/schemas\/(New)?PluginSecret\/properties\/hosts$/, 'empty = it is sent nowhere'],
  [/schemas\/PluginGrant\/.*\/folders$/, 'an empty one is refused'],
  [/schemas\/PluginPermissions\/.*\/folders$/, 'never empty'],
  [/schemas\/PresetPlugin\/properties\/hosts$/, 'what a plugin asks for'],
  [/\/api\/(folders|libraries)\/get\/responses\//, 'what there is'],
];

describe('a list that limits', () => {
  test('can be null, and says what null and an empty list mean', () => {
    const wrong = lists
      .filter(({ name }) => limiting.has(name))
      .filter(({ place }) => !others.some(([pattern]) => pattern.test(place)))
      .filter(
        ({ schema }) => !/`\[\]` = none, null = no limit$/.test(String(schema['description'])),
      )
      .map(({ place, schema }) => `${place}: ${JSON.stringify(schema).slice(0, 200)}`);

    expect(wrong).toEqual([]);
    expect(lists.filter(({ name }) => name === 'libraryAccess').length).toBeGreaterThan(5);
  });

  test('is never everything when it is empty', () => {
    const open = /(\bempty|\bnone|`\[\]`) (=|means) (all|any|every|no limit)/i;
    const wrong = lists.filter(({ schema }) => open.test(String(schema['description'])));

    expect(wrong.map(({ place }) => place)).toEqual([]);
  });
});
