import { expect, onTestFinished, test } from 'vitest';
import { openTestLibrary } from '../../../test/support/library/library.ts';
import { countLooks } from './look-store.ts';
import { matchingMigrations } from './index.ts';

const guess = { id: '1', manual: false, confidence: 0.4, title: 'Heat', matchedAt: 1 };

test('what an earlier version guessed needs a look after the upgrade, and nothing else', async () => {
  const library = await openTestLibrary();
  onTestFinished(library.close);
  const { database } = library.storage;
  const { id: libraryId } = await library.libraries.create({
    ...{ name: 'Films', type: 'movies', roots: ['/films'] },
  });
  const matches: Readonly<Record<string, object | null>> = {
    a: { films: guess },
    b: { films: guess, other: { ...guess, confidence: 0.9 } },
    c: { films: { ...guess, id: null, manual: true } },
    d: null,
    e: { films: guess },
  };
  const files = Object.keys(matches).map((name) => ({
    ...{ uri: `file:///films/${name}/${name}.mkv`, size: 1, modifiedAt: 1 },
  }));
  const page = { after: null, through: null, files, unreadable: [] };
  await library.reconcile({ libraryId, root: 'file:///films', ...page });
  await database.write(async (trx) => {
    for (const [title, match] of Object.entries(matches))
      if (match !== null)
        await trx('items')
          .where({ title })
          .update({ match: JSON.stringify(match) });
    await trx.raw('drop index items_to_look_at');
    await trx.raw('alter table items drop column needs_look');
    await matchingMigrations.migrations.find(({ id }) => id === '0004-items-to-look-at')?.up(trx);
  });

  expect(await countLooks(database.read, libraryId)).toBe(2);
});
