/**
 * Lists and searches come from the response cache until the next write. On PostgreSQL, where other
 * servers write too, each one is read.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fullVisibility } from '../../src/people/viewer/index.ts';
import { member, openHousehold, type Household } from '../support/library/household.ts';
import { bearer } from '../support/servers/http.ts';
import { isOverPostgres } from '../support/storage/postgres.ts';

let house: Household;
const statements: string[] = [];

beforeAll(async () => {
  house = await openHousehold(
    { Films: { hidden: false }, Vault: { hidden: false } },
    { Mildred: { library: 'Films' }, Veilchen: { library: 'Vault' } },
  );
  house.viewers.set('guest', member('guest', fullVisibility));
  house.storage.database.read.on('query', ({ sql }: { readonly sql: string }) =>
    statements.push(sql),
  );
});

// No test begins with what another one cached.
beforeEach(() => writeSomething());

afterAll(() => house.close());

async function ask(url: string): Promise<string> {
  const reply = await house.app.inject({ url, headers: bearer('guest') });
  expect(reply.statusCode).toBe(200);
  return reply.body;
}

/** A write that changes nothing. */
const writeSomething = (): Promise<unknown> =>
  house.storage.database.write((trx) => trx('items').whereRaw('1 = 0').delete());

/** How many statements read the items while `work` runs. */
async function itemReads(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  await work();
  return statements.filter((sql) => /\bitems\b/.test(sql)).length;
}

describe.each(['/api/items?limit=10', '/api/search?q=mildred'])('%s', (url) => {
  test('is read once between two writes, and each time over PostgreSQL', async () => {
    const first = await ask(url);
    const reads = await itemReads(async () => expect(await ask(url)).toBe(first));

    expect(first).toContain('Mildred');
    if (isOverPostgres) expect(reads).toBeGreaterThan(0);
    else expect(reads).toBe(0);
  });

  test('is read again after a write', async () => {
    await ask(url);
    await writeSomething();

    expect(await itemReads(() => ask(url))).toBeGreaterThan(0);
  });
});

test('a library that was hidden is in no list that is asked for after that', async () => {
  const url = '/api/items?limit=10';
  expect(await ask(url)).toContain('Veilchen');
  const admin = { ...fullVisibility, showsHidden: true };
  await house.libraries.update(
    house.libraryIds['Vault'] ?? '',
    { hidden: true },
    member('admin', admin),
  );

  expect(await ask(url)).not.toContain('Veilchen');
});
