import { expect, test } from 'vitest';
import { unreadPlacesIn } from '../scan/unread-places.ts';
import { quoted } from '../../../platform/text.ts';
import { libraryProblems } from './library-problems.ts';
import { unreachable } from '../scan/root-problem.ts';

const root = 'file:///films';
const gone = { uri: root, code: 'unreachable', message: `${unreachable.english} EIO.` } as const;
const library = { id: 'films', name: 'Films', problems: [] };

test('a library whose roots are away is one problem that names them, and one that is well is none', () => {
  const two = { ...library, problems: [gone, { ...gone, uri: 'file:///more' }] };

  expect(libraryProblems([library])).toEqual([]);
  expect(libraryProblems([two])).toMatchObject([
    {
      code: 'library_unreachable',
      subject: { type: 'library', id: 'films' },
      message: { english: 'A folder of the library Films cannot be used.' },
      detail: {
        english: `file:///films: ${gone.message} file:///more: ${gone.message}`,
        german:
          'file:///films: Er ist nicht erreichbar, darum gilt keine seiner Dateien als fehlend. EIO. file:///more: Er ist nicht erreichbar, darum gilt keine seiner Dateien als fehlend. EIO.',
      },
    },
  ]);
});

test('a scan that failed, and places that it could not read, are problems of their own', () => {
  const problems = [
    { uri: root, code: 'scan-failed', message: 'The scanner crashed.' },
    { uri: `${root}/x`, code: 'incomplete', message: '2 cannot be read.' },
  ] as const;

  expect(libraryProblems([{ ...library, problems }])).toMatchObject([
    { code: 'library_scan_failed', detail: quoted('The scanner crashed.') },
    {
      code: 'library_incomplete',
      detail: { english: '2 cannot be read.', german: `Die erste Stelle ist ${root}/x.` },
    },
  ]);
});

test('the places that a scan could not read are counted by kind, without the roots that failed', () => {
  const place = (name: string, code: string) => ({ uri: `${root}/${name}`, code, message: 'No.' });
  const places = [place('a', 'unreadable'), place('b', 'not-found'), place('c', 'not-found')];
  const problems = [{ uri: root, code: 'not-found', message: 'No.' }, ...places];

  expect(unreadPlacesIn({ problems, problemCount: 7 }, [root])).toEqual({
    count: 6,
    uri: `${root}/a`,
    message: `1 cannot be read, 2 are broken links, 3 more. The first is ${root}/a.`,
  });
  expect(unreadPlacesIn({ problems: [problems[0]], problemCount: 1 }, [root])).toBeNull();
  expect(unreadPlacesIn({}, [])).toBeNull();
});
