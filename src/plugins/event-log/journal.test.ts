import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createJournal, readJournal } from './journal.ts';

function openJournal() {
  const file = path.join(temporaryFolder(), 'events.journal');
  const journal = createJournal(file, 'journal-1');
  onTestFinished(() => journal.close());
  return { file, journal };
}

describe('the journal of events', () => {
  test('has a line as soon as append returns, in order and complete', () => {
    const { file, journal } = openJournal();
    expect(existsSync(file)).toBe(false);

    journal.append('a', '{"title":"Zoë\u2028 \\n 1"}');
    journal.append('b', '{}');

    expect(readJournal(file)).toEqual({
      id: 'journal-1',
      lines: [
        { no: 1, id: 'a', json: '{"title":"Zoë\u2028 \\n 1"}' },
        { no: 2, id: 'b', json: '{}' },
      ],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is empty when the database has everything, and continues its numbers', () => {
    const { file, journal } = openJournal();
    journal.append('a', '{}');

    journal.settle([]);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(readJournal(file)).toBeNull();

    expect(journal.append('b', '{}')).toBe(2);
    expect(readJournal(file)?.lines).toEqual([{ no: 2, id: 'b', json: '{}' }]);
  });

  test('is rewritten with the remaining lines when it has grown', () => {
    const { file, journal } = openJournal();
    const json = JSON.stringify({ text: 'x'.repeat(100_000) });
    for (let no = 0; no < 50; no += 1) journal.append(`e${no}`, json);

    journal.settle([{ no: 50, id: 'e49', json }]);

    expect(statSync(file).size).toBeLessThan(110_000);
    journal.append('next', '{}');
    expect(readJournal(file)?.lines.map(({ no, id }) => [no, id])).toEqual([
      [50, 'e49'],
      [51, 'next'],
    ]);
  });

  test('drops an incomplete last line', () => {
    const { file, journal } = openJournal();
    journal.append('a', '{}');

    appendFileSync(file, '2 b {"half":');

    expect(readJournal(file)?.lines).toEqual([{ no: 1, id: 'a', json: '{}' }]);
  });

  test('is null when the file has other content', () => {
    const { file } = openJournal();
    writeFileSync(file, 'something else\n1 a {}\n');

    expect(readJournal(file)).toBeNull();
  });
});
