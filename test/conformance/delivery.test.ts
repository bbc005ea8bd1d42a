/** `catalogue.md`, "Delivery" and details 9, over all routes of a real catalogue. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullVisibility, visibilityOfLibraries } from '../../src/people/viewer/index.ts';
import { member, openHousehold, type Household } from '../support/library/household.ts';
import { bearer } from '../support/servers/http.ts';

let house: Household;

beforeAll(async () => {
  const films = Array.from(
    { length: 20 },
    (_, at) => [`Film ${at}`, { library: 'Films' }] as const,
  );
  house = await openHousehold(
    { Films: { hidden: false }, Series: { hidden: false } },
    { ...Object.fromEntries(films), Mildred: { library: 'Series' } },
  );
  house.viewers.set('guest', member('guest', fullVisibility));
});

afterAll(() => house.close());

const ask = (url: string, headers: Record<string, string> = {}, who = 'guest') =>
  house.app.inject({ url, headers: { ...bearer(who), ...headers } });

const lists = ['/api/items?limit=30', '/api/items?fields=tile&limit=30', '/api/search?q=film'];

test.each(lists)('%s is sent in brotli or gzip, and 304 to a client that has it', async (url) => {
  const plain = await ask(url);
  for (const [accepts, unpack] of [
    ['gzip, deflate, br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const packed = await ask(url, { 'accept-encoding': accepts });
    const tag = String(packed.headers.etag);
    const known = await ask(url, { 'accept-encoding': accepts, 'if-none-match': tag });

    expect(unpack(packed.rawPayload).toString()).toBe(plain.payload);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(tag).not.toBe(plain.headers.etag);
    expect([known.statusCode, known.payload]).toEqual([304, '']);
  }
});

test('the tag of one viewer gives no 304 to another whose list differs', async () => {
  const { libraries } = (await ask('/api/libraries')).json<{
    libraries: { id: string; name: string }[];
  }>();
  const id = libraries.find(({ name }) => name === 'Films')?.id ?? '';
  house.viewers.set('films', member('guest', visibilityOfLibraries([id])));
  const whole = await ask('/api/items?limit=30');
  const less = await ask(
    '/api/items?limit=30',
    { 'if-none-match': String(whole.headers.etag) },
    'films',
  );

  expect(whole.payload).toContain('Mildred');
  expect(less.statusCode).toBe(200);
  expect(less.payload).not.toContain('Mildred');
});
