/** Folders of a library as hostile texts name them: each has one spelling, or is refused. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overlappingPlace, reservedPlaces } from '../../../platform/reserved-places.ts';
import { toLinkFolders, toRootUri } from './root-uri.ts';

const links = (folder: string, root = '/a') => toLinkFolders([{ root, folder }], ['file:///a']);
const stored = (folder: string) => [{ root: 'file:///a', folder }];

describe('a folder for links', () => {
  test.each([
    ['/pool/', 'file:///pool'],
    ['//pool', 'file:///pool'],
    ['/./pool//.', 'file:///pool'],
    ['FILE:///pool', 'file:///pool'],
    ['file://localhost/pool', 'file:///pool'],
    ['file:///p%6Fol/', 'file:///pool'],
    ['/é', 'file:///%C3%A9'],
    ['/e\u0301', 'file:///e%CC%81'],
    ['/%2e%2e', 'file:///%252e%252e'],
    ['/a\\..\\b', 'file:///a%5C..%5Cb'],
    ['/a#b?c', 'file:///a%23b%3Fc'],
    ['/．．', 'file:///%EF%BC%8E%EF%BC%8E'],
  ])('has one spelling: %j', (folder, uri) => {
    expect(links(folder)).toEqual(stored(uri));
  });

  test.each([
    'pool',
    './pool',
    '../pool',
    '~',
    '~/pool',
    '',
    ' ',
    ' /pool',
    '\\pool',
    'C:\\pool',
    'C:/pool',
    '/..',
    '/pool/..',
    '/pool/../etc',
    '/../etc',
    'file:///pool/..',
    'file:///pool/%2e%2e/etc',
    'file:///%2E%2e',
    'file:///pool/.%2e/etc',
    '/pool\0',
    'file:///pool%00',
    'file:///%ff',
    'file:///%',
    'file:///%E0%A4%A',
    '/\ud800',
    'file:pool',
    'file:/pool',
    'file://host/pool',
    'file:////host/../pool',
    'file://localhost.evil/pool',
    'file://127.0.0.1/pool',
    'FILE:pool',
    's3://shelf/pool',
    'http://a.example/pool',
    'javascript://a',
    'smb://host/share',
    'data:,x',
    'files:///pool',
    'file+x:///pool',
  ])('is refused: %j', (folder) => {
    expect(() => links(folder)).toThrow(/links:/);
  });

  test.each([
    '/b',
    '/a/b',
    '/A',
    '/a\u0301',
    '/',
    '',
    'file:///',
    'file:///b',
    's3://a',
    '/proc/self/root/a',
    '/а',
  ])('is refused below %j, which is not a root of the library', (root) => {
    expect(() => links('/pool', root)).toThrow(/links:/);
  });

  test.each(['/a/', '//a', '/./a', 'file:///%61', 'FILE://localhost/a'])(
    'is below its root in each spelling: %s',
    (root) => {
      expect(links('/pool', root)).toEqual(stored('file:///pool'));
    },
  );
});

describe('a folder of the server', () => {
  let top: string;
  let places: ReturnType<typeof reservedPlaces>;

  beforeAll(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'vitrine-root-uri-')));
    for (const folder of ['data/keys', 'backups', 'media'])
      mkdirSync(`${top}/${folder}`, { recursive: true });
    symlinkSync('data', `${top}/link`);
    symlinkSync('link', `${top}/link-of-link`);
    symlinkSync('../data', `${top}/media/inner`);
    symlinkSync('/', `${top}/media/all`);
    places = reservedPlaces({
      data: `${top}/data`,
      database: `sqlite:${top}/db/vitrine.db`,
      backupFolder: `${top}/link/../backups`,
    });
  });

  afterAll(() => rmSync(top, { recursive: true }));

  /** The place that it touches, as the check of a new folder finds it. */
  const touched = (folder: string) =>
    overlappingPlace(places, fileURLToPath(toRootUri(folder, 'links')))?.what;

  test.each<[string, (top: string) => string]>([
    ['itself', (at) => `${at}/data`],
    ['with a slash behind', (at) => `${at}/data/`],
    ['with two slashes', (at) => `/${at}//data`],
    ['with dots', (at) => `${at}/./data/.`],
    ['below it', (at) => `${at}/data/keys`],
    ['that is not there yet', (at) => `${at}/data/new/deep`],
    ['above it', (at) => at],
    ['the whole system', () => '/'],
    ['the whole system as a URI', () => 'file://'],
    ['by the root of the process', (at) => `/proc/self/root${at}/data`],
    ['by the root of a thread', (at) => `/proc/thread-self/root${at}/data`],
    ['by the folder of the process', () => '/proc/self/cwd'],
    ['by a link', (at) => `${at}/link`],
    ['below a link', (at) => `${at}/link/keys`],
    ['by a link of a link', (at) => `${at}/link-of-link`],
    ['by a link in a library', (at) => `${at}/media/inner`],
    ['by a link to everything', (at) => `${at}/media/all${at}/data`],
    ['by a link to the whole system', (at) => `${at}/media/all`],
    ['by escapes', (at) => `file://${at}/d%61ta`],
    ['the folder of the database', (at) => `${at}/db`],
    ['a file beside the database', (at) => `${at}/db/vitrine.db-wal`],
    ['the backups', (at) => `${at}/backups`],
    ['devices', () => '/dev/fd'],
  ])('cannot be named for links: %s', (_, name) => {
    expect(touched(name(top))).toMatch(/^(the|\/)/);
  });

  test.each(['media', 'data2', 'dat', 'Data', 'dаta', 'd\u0061\u0301ta', 'db2'])(
    'is not taken for %j beside it',
    (name) => {
      expect(touched(`${top}/${name}`)).toBeUndefined();
    },
  );
});
