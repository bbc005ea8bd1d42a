import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import {
  createSecretBox,
  createSecretFile,
  layKeys,
  openServerKey,
  readSecretFile,
} from './index.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const file = () => path.join(folder, 'server.key');
const open = () => openServerKey({ dataFolder: folder, random: randomBytes });

describe('keys from outside the data folder', () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

  /** The file, as it is made of the keys of a first server. */
  function made(mode = 0o440): string {
    const first = temporaryFolder();
    openServerKey({ dataFolder: first, random: randomBytes });
    const keys = path.join(first, 'keys');
    const text = readFileSync(path.join(first, 'server.key'), 'utf8') + pem.toString();
    writeFileSync(keys, text);
    chmodSync(keys, mode);
    return keys;
  }

  test('are laid into an empty data folder, readable only by its owner, at each start', () => {
    const keys = made();
    for (let start = 0; start < 2; start += 1) layKeys(folder, keys);

    const laid = ['server.key', 'server-id.key'].map((name) => path.join(folder, name));
    expect(laid.map((one) => readFileSync(one, 'utf8')).join('')).toBe(readFileSync(keys, 'utf8'));
    expect(laid.map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('are refused in a data folder with other keys, which stay', () => {
    const own = open();

    expect(() => layKeys(folder, made())).toThrow('this data folder is that of another server');
    expect(open()).toEqual(own);
  });

  test.each([
    ['missing', () => path.join(folder, 'none'), 'cat server.key server-id.key'],
    ['open to all', () => made(0o644), 'can be read by other users'],
    ['one key', () => onlyServerKey(), 'lacks the text of server-id.key'],
    ['no key', () => written('hello\n'), 'is damaged'],
  ])('say what is wrong with a file that is %s, and lay nothing', (_, file, why) => {
    const keys = file();

    expect(() => layKeys(folder, keys)).toThrow(why);
    expect(readdirSync(folder)).toEqual([]);
  });

  function written(text: string): string {
    const keys = path.join(temporaryFolder(), 'keys');
    writeFileSync(keys, text, { mode: 0o600 });
    return keys;
  }
  const onlyServerKey = () => written(readFileSync(made(), 'utf8').split('-----')[0] ?? '');
});

describe('the key of the server', () => {
  test('is created at the first start, readable only by its owner, and never changes', () => {
    const key = open();

    expect(key).toHaveLength(32);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['server.key']);
    expect(open()).toEqual(key);
  });

  test.each([0o640, 0o604, 0o660, 0o644])('is refused when others may read it: mode %o', (mode) => {
    open();
    chmodSync(file(), mode);

    expect(open).toThrow(/server\.key can be read by other users \(mode \d+\).*chmod 600/);
  });

  test.each([
    ['is empty', () => ''],
    ['was cut', (text: string) => text.slice(0, 40)],
    [
      'has another digit',
      (text: string) => text.replace(/ ./, (two) => (two === ' 0' ? ' 1' : ' 0')),
    ],
    ['is something else', () => 'x'.repeat(32)],
    ['has more after it', (text: string) => `${text}x`],
  ])('is refused with a remedy when it %s', (_, damage) => {
    open();
    const text = readFileSync(file(), 'utf8');
    writeFileSync(file(), damage(text), { mode: 0o600 });

    expect(open).toThrow(/server\.key is damaged: restore it from a backup.*remove it/);
  });

  test('is refused with a message when it is not a file, or cannot be created', () => {
    mkdirSync(file());
    expect(open).toThrow(/server\.key is not a file/);
    const nowhere = { dataFolder: path.join(folder, 'gone'), random: randomBytes };

    expect(() => openServerKey(nowhere)).toThrow(/server\.key\.\w+ cannot be written/);
  });

  test('is created again after its removal, and texts of the old one do not decrypt', () => {
    const sealed = createSecretBox(open(), randomBytes).seal('hunter2', 'a');
    rmSync(file());

    expect(createSecretBox(open(), randomBytes).open(sealed, 'a')).toBeNull();
  });
});

test('a secret file is never overwritten', () => {
  expect(createSecretFile(file(), 'one')).toBe(true);
  expect(createSecretFile(file(), 'two')).toBe(false);

  expect(readSecretFile(file())).toBe('one');
  expect(readdirSync(folder)).toEqual(['server.key']);
});

describe('a secret box', () => {
  const box = createSecretBox(randomBytes(32), randomBytes);

  test('decrypts its own texts, only with the same context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, one, other) => {
        const sealed = box.seal(text, one);
        expect(box.open(sealed, one)).toBe(text);
        if (one !== other) expect(box.open(sealed, other)).toBeNull();
      }),
    );
  });

  test('reveals nothing of the text, and encrypts it differently each time', () => {
    const [one, two] = [box.seal('hunter2-hunter2', 'a'), box.seal('hunter2-hunter2', 'a')];

    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(8), 'base64url').includes('hunter2')).toBe(false);
  });

  test('does not decrypt a text with any change', () => {
    const sealed = box.seal('hunter2', 'a');
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      // The last letter of base64 may have unused bits.
      const isSame = Buffer.from(changed.slice(8), 'base64url').equals(
        Buffer.from(sealed.slice(8), 'base64url'),
      );
      if (!isSame || index < 8) expect(box.open(changed, 'a')).toBeNull();
    }
  });

  test.each(['', 'hunter2', 'sealed1.', 'sealed1.AAAA', 'sealed1.%%%'])(
    'does not decrypt %j',
    (text) => {
      expect(box.open(text, 'a')).toBeNull();
    },
  );
});
