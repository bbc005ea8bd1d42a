/** A comment says more than the name of what it stands above; else there is none. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repeatingIn, repeats } from '../support/comments/repeating.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The pages that authors read are made of the comments of these: there each export has one. */
const published = /^(?:plugin-api|examples|packages\/app\/client)\//;

test('no comment repeats a name', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !published.test(file));

  const found = files.flatMap((file) =>
    repeatingIn(file, readFileSync(path.join(root, file), 'utf8')).map(
      ({ comment }) => `${file}: "${comment}"`,
    ),
  );

  expect(found).toEqual([]);
});

test('a comment repeats a name when each of its words is in the name or empty', () => {
  const file = 'src/work/jobs/jobs.ts';

  expect(repeats('The dependencies of the jobs.', 'JobsParts', file)).toBe(true);
  expect(repeats('Creates the jobs over the database.', 'createJobs', file)).toBe(true);
  expect(repeats('Creates them; nothing runs before `start`.', 'createJobs', file)).toBe(false);
  expect(repeats('A job waits at most an hour.', 'Job', file)).toBe(false);
});
