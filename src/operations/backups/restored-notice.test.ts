import { expect, test } from 'vitest';
import { carryOvers } from '../../compose/carry-overs.ts';
import { english } from '../../platform/words/index.ts';
import { restoredNotice } from './restored-notice.ts';

test('everything that a restore carries over has words in each language', () => {
  const words = Object.entries(english).filter(([key]) => key.startsWith('restored.'));

  expect(words.map(([, word]) => word).sort()).toEqual(carryOvers.map(({ label }) => label).sort());
});

test('the notification of a restore names what was carried over, in both languages', () => {
  const names = Array.from({ length: 22 }, (_, no) => `key ${no}`);
  const carried = [{ label: 'API keys that stay removed', names }];

  expect(restoredNotice('a.vbackup', carried, 7).message).toEqual({
    english: expect.stringMatching(
      /^The audit log .* ended at entry 7\.\nAPI keys that stay removed: .* and 2 more\.$/,
    ) as string,
    german: expect.stringMatching(
      /^Das Prüfprotokoll .* Eintrag 7\.\nAPI-Schlüssel, die entfernt bleiben: .* und 2 weitere\.$/,
    ) as string,
  });
  expect(restoredNotice('a.vbackup', [], null).message?.german).toMatch(/^Es gab keine lesbare/);
});
