import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import { openTestLibrary, type TestLibrary } from '../../test/support/library/library.ts';
import { serverViewer } from '../people/viewer/index.ts';
import { ensureLibrary } from './configured-libraries.ts';

const option = { type: 'movies', name: 'Films', path: '/media/films' };
let library: TestLibrary;
afterEach(() => library.close());

test('a library whose disk is away is made with a problem and a warning', async () => {
  library = await openTestLibrary({
    validateRoot: async () => ({ ok: false, message: 'The path does not exist.' }),
    inspectRoot: () => Promise.reject(new Error('The folder does not exist.')),
  });
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };

  const id = await ensureLibrary(library, option, log);

  expect(await library.libraries.get(id, serverViewer)).toMatchObject({
    name: 'Films',
    problems: [{ uri: 'file:///media/films', code: 'unreachable' }],
  });
  expect(warnings).toEqual([
    '--library movies:Films:/media/films: file:///media/films cannot be used. The path does not exist. The library is empty until its folder can be read.',
  ]);
});

test('a library in a folder of the server is refused', async () => {
  library = await openTestLibrary({
    validateRoot: async () => ({ ok: false, isReserved: true, message: 'It lies in /data.' }),
  });

  await expect(ensureLibrary(library, option, silentLog)).rejects.toThrow(
    '--library movies:Films:/media/films: roots: file:///media/films cannot be used. It lies in /data.',
  );
  expect(await library.libraries.list(serverViewer)).toEqual([]);
});
