/** What a viewer may see is compared in one place; each exception is named here, with its reason. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const files = ['src', 'packages']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
    ),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

/** The files that hold this, without those of accounts and ratings, where visibilities are made. */
const holding = (pattern: RegExp): readonly string[] =>
  files
    .filter((file) => !file.startsWith('src/people/'))
    .filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    .sort();

test('the visibility of a viewer is read by the access filter, and by who says no to a whole route', () => {
  expect(holding(/viewer\.visibility\b|\{ visibility\b/)).toEqual([
    // Made people see made libraries, where authors try a plugin out.
    'packages/app/plugin-kit/fakes/made-viewer.ts',
    // Admins of some libraries open few of the routes for admins.
    'src/http/access.ts',
    'src/library/catalogue/access/access.ts',
    // A session that began with hidden things shows them as long as it lasts.
    'src/viewing/playback-sessions/sessions.ts',
    // A link to something hidden says so.
    'src/viewing/streaming/media-links.ts',
  ]);
});

test('libraries are compared by the access filter, and by jobs, which show no items', () => {
  expect(holding(/\b(maySeeLibrary|libraryIdsOf)\b/)).toEqual([
    'src/http/routes/accounts/auth.ts',
    'src/library/catalogue/access/access.ts',
    'src/work/jobs/jobs.ts',
  ]);
});

test('a certification is compared by the access filter alone', () => {
  expect(holding(/\ballows\(/)).toEqual(['src/library/catalogue/access/access.ts']);
});
