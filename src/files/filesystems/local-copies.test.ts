import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import type { FilePlace } from './index.ts';
import { createLocalCopies, type LocalCopies, type LocalCopiesParts } from './index.ts';

let folder: string;
let copies: LocalCopies;
const files = new Map<string, Buffer>();

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'vitrine copies-')), 'local-files');
  files.clear();
});

afterEach(async () => {
  await copies.close();
  rmSync(path.dirname(folder), { recursive: true });
});

/** Files behind a plugin, but for `file:` URIs, which are here. */
const filesystems: LocalCopiesParts['filesystems'] = {
  localPaths: async (uris) => new Map(uris.map((uri): [string, FilePlace] => [uri, placeOf(uri)])),
  stat: async (uri) => {
    const content = files.get(uri);
    if (!content) throw new KernelError('not_found', 'The file');
    return { uri, kind: 'file', size: content.length, modifiedAt: 1 };
  },
  open: async (uri) => {
    const content = files.get(uri) ?? Buffer.alloc(0);
    return {
      size: content.length,
      modifiedAt: 1,
      stream: async () => (content.includes('torn') ? torn() : Readable.from([content])),
      read: async (offset, length) => content.subarray(offset, offset + length),
      close: async () => undefined,
    };
  },
};

const placeOf = (uri: string): FilePlace =>
  uri.startsWith('file://')
    ? { kind: 'here', path: uri.slice('file://'.length) }
    : { kind: 'elsewhere' };

const torn = (): Readable =>
  new Readable({
    read() {
      this.destroy(new Error('The line is dead.'));
    },
  });

async function open(limitBytes = 1000): Promise<LocalCopies> {
  let last = 0;
  copies = createLocalCopies({
    filesystems,
    folder,
    limitBytes,
    newId: () => `${(last += 1)}`,
    log: silentLog,
  });
  await copies.open();
  return copies;
}

const put = (name: string, content: string): string => {
  const uri = `smb://nas/films/${name}`;
  files.set(uri, Buffer.from(content));
  return uri;
};

describe('a local copy', () => {
  test('is the file itself when it is on this machine', async () => {
    await open();

    const held = await copies.hold(['file:///films/Film.mkv']);

    expect(held.paths).toEqual(new Map([['file:///films/Film.mkv', '/films/Film.mkv']]));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is fetched once for the hold, readable by this user only, and removed after it', async () => {
    await open();
    const uri = put('Der%20Film.MKV', 'the film');

    const held = await copies.hold([uri, uri]);
    const file = held.paths.get(uri) ?? '';

    expect(readFileSync(file, 'utf8')).toBe('the film');
    expect(path.basename(file)).toBe('0.mkv');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('waits until other copies free the space for it', async () => {
    await open(10);
    const first = await copies.hold([put('a', '12345678')]);
    const order: string[] = [];

    const second = copies.hold([put('b', '12345')]).then((held) => {
      order.push('second held');
      return held;
    });
    order.push('first released');
    await first.release();
    await (await second).release();

    expect(order).toEqual(['first released', 'second held']);
  });

  test('two holds of several files do not deadlock', async () => {
    await open(10);
    const uris = ['a', 'b', 'c', 'd'].map((name) => put(name, '12345'));

    const holds = [uris.slice(0, 2), uris.slice(2)].map(async (some) => {
      const held = await copies.hold(some);
      await held.release();
      return held.paths.size;
    });

    expect(await Promise.all(holds)).toEqual([2, 2]);
  });

  test('is not made of a file above the limit, nor of one that cannot be read; others are', async () => {
    await open(10);
    const uris = [
      put('large', '12345678901'),
      'smb://nas/gone',
      put('torn', 'torn'),
      put('ok', 'ok'),
    ];

    const held = await copies.hold(uris);

    expect([...held.paths.keys()]).toEqual(['smb://nas/films/ok']);
    await held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that a crash left behind is removed at the start', async () => {
    mkdirSync(`${folder}/7`, { recursive: true });
    writeFileSync(`${folder}/7/0.mkv`, 'left');

    await open();

    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused while the server stops, also to waiting holds; nothing is left', async () => {
    await open(10);
    await copies.hold([put('a', '12345678')]);
    const waiting = copies.hold([put('b', '12345')]);
    const refused = expect(waiting).rejects.toMatchObject({ code: 'service_unavailable' });

    await new Promise((resolve) => setImmediate(resolve));
    await copies.close();

    await refused;
    await expect(copies.hold([])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(existsSync(folder)).toBe(false);
  });
});
