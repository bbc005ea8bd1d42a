import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pluginSchema } from '../../manifests-schema/index.ts';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { powersAsked } from '../../kernel/run/powers/index.ts';
import {
  askForMissing,
  createPlugin,
  nextSteps,
  parseNewPlugin,
  templates,
  type PluginWish,
  type TemplateName,
} from './index.ts';

const names = Object.keys(templates) as readonly TemplateName[];
const today = '2027-03-01';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'vitrine-create-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const make = (wish: PluginWish) =>
  createPlugin(parseNewPlugin(wish, cwd), {
    templates: path.join(import.meta.dirname, 'templates'),
    today,
  });

const filesIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]),
  );

describe('a plugin that is made', () => {
  test.each(names)(
    'of the template %s is complete, and has no placeholder left',
    async (template) => {
      const made = await make({ folder: 'film-tags', template, author: 'Ada "A" \\ Brandt' });

      const files = filesIn(path.join(cwd, 'film-tags'));
      const parsed = createManifestReader().parseText(files.get('manifest.json') ?? '');
      expect([...files.keys()].sort()).toEqual(made.toSorted());
      expect(made).toEqual(
        expect.arrayContaining(
          ['.gitignore', 'LICENSE', 'README.md', 'manifest.json', 'package.json'].concat([
            'plugin.test.ts',
            'src/index.ts',
            'tsconfig.json',
          ]),
        ),
      );
      expect(parsed).toMatchObject({
        ok: true,
        value: {
          id: 'film-tags',
          name: 'Film tags',
          author: 'Ada "A" \\ Brandt',
          compatibilityDate: today,
        },
      });
      const { reasons = {}, ...powers } = parsed.ok ? powersAsked(parsed.value) : {};
      expect(Object.keys(reasons).sort()).toEqual(Object.keys(powers).sort());
      expect(JSON.parse(files.get('package.json') ?? '')).toMatchObject({
        name: 'film-tags',
        scripts: {
          dev: 'vitrine plugin dev .',
          test: 'vitrine plugin test .',
          check: 'vitrine plugin check .',
          pack: 'vitrine plugin pack .',
        },
      });
      expect(files.get('LICENSE')).toContain('(c) 2027 Ada "A" \\ Brandt');
      for (const text of files.values()) expect(text).not.toMatch(/template[- ](?!literal)/i);
    },
  );

  test('may have a scope, which its URI scheme omits', async () => {
    await make({ folder: 'files', template: 'filesystem', id: '@ada/2-files', name: 'My files' });

    const files = filesIn(path.join(cwd, 'files'));
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as object;
    expect(createManifestReader().parse(manifest).ok).toBe(true);
    expect(manifest).toMatchObject({
      id: '@ada/2-files',
      name: 'My files',
      capabilityConfig: { filesystem: { schemes: ['x-2-files'] } },
    });
    expect(files.get('src/web-files.ts')).toContain("'x-2-files://files'");
  });

  test('prints the next steps, relative to the working folder', () => {
    const steps = (folder: string) =>
      nextSteps(parseNewPlugin({ folder, template: 'hook', id: 'tags' }, cwd), cwd);

    expect(steps('my tags')).toContain('cd "my tags"\n');
    expect(steps('.')).not.toContain('cd ');
    expect(steps('.')).toContain('npm run dev');
    expect(steps('.')).toContain('npm run pack -- --key');
  });
});

describe('with the kit of a server', () => {
  const bytes = (text: string) => ({
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
  });
  /** A folder with a kit, of which one file may be another than its index says. */
  function makeKit(changed: Readonly<Record<string, string>> = {}): string {
    const files = {
      'api.tgz': bytes('api'),
      'kit.tgz': bytes('kit'),
      'package-lock.json': bytes(
        JSON.stringify({
          packages: {
            'node_modules/vitrine': { version: '0.1.0', integrity: 'sha512-x' },
            'node_modules/vitest': { version: '5.1.0' },
          },
        }),
      ),
    };
    const folder = path.join(cwd, 'kit');
    mkdirSync(folder);
    for (const [name, { text }] of Object.entries(files))
      writeFileSync(path.join(folder, name), changed[name] ?? text);
    const index = {
      packages: [
        { name: '@vitrine/plugin-api', file: 'api.tgz', sha256: files['api.tgz'].sha256 },
        { name: 'vitrine', file: 'kit.tgz', sha256: files['kit.tgz'].sha256 },
      ],
      lock: { file: 'package-lock.json', sha256: files['package-lock.json'].sha256 },
    };
    writeFileSync(path.join(folder, 'index.json'), changed['index.json'] ?? JSON.stringify(index));
    return folder;
  }

  test('has its packages, and the versions that it was tested with', async () => {
    await make({ folder: 'tags', template: 'hook', kit: makeKit() });

    const files = filesIn(path.join(cwd, 'tags'));
    const devDependencies = JSON.parse(files.get('package.json') ?? '').devDependencies;
    expect(devDependencies).toMatchObject({
      '@vitrine/plugin-api': 'file:.vitrine/api.tgz',
      vitrine: 'file:.vitrine/kit.tgz',
    });
    expect(files.get('.vitrine/kit.tgz')).toBe('kit');
    expect(JSON.parse(files.get('package-lock.json') ?? '')).toMatchObject({
      name: 'tags',
      lockfileVersion: 3,
      packages: {
        '': { name: 'tags', devDependencies },
        'node_modules/vitrine': { integrity: 'sha512-x', resolved: 'file:.vitrine/kit.tgz' },
        'node_modules/vitest': { version: '5.1.0' },
      },
    });
  });

  test.each([
    ['kit.tgz', 'another', /kit\.tgz is not what index\.json says/],
    ['package-lock.json', '{}', /package-lock\.json is not what index\.json says/],
    ['index.json', '{"packages": [{"name": "../a"}]}', /index\.json is not a list of packages/],
  ])('refuses a wrong %s, and writes nothing', async (name, text, message) => {
    const kit = makeKit({ [name]: text });

    await expect(make({ folder: 'tags', template: 'hook', kit })).rejects.toThrow(message);
    expect(readdirSync(cwd)).toEqual(['kit']);
  });
});

describe('refuses', () => {
  test('a folder that is not empty, and changes nothing in it', async () => {
    mkdirSync(path.join(cwd, 'tags'));
    writeFileSync(path.join(cwd, 'tags/notes.txt'), 'mine');
    writeFileSync(path.join(cwd, 'file'), 'mine');

    await expect(make({ folder: 'tags', template: 'hook' })).rejects.toThrow(
      /is not empty.*Nothing/,
    );
    await expect(make({ folder: 'file', template: 'hook' })).rejects.toThrow(/is a file/);
    expect([...filesIn(path.join(cwd, 'tags')).keys()]).toEqual(['notes.txt']);
  });

  test('accepts an empty folder', async () => {
    mkdirSync(path.join(cwd, 'tags'));

    expect(await make({ folder: 'tags', template: 'hook' })).toContain('manifest.json');
  });

  test.each<[string, PluginWish, RegExp]>([
    ['no folder', { folder: ' ', template: 'hook' }, /Name the folder/],
    [
      'no template',
      { folder: 'a' },
      /--template: hook, indexer, filesystem, view-action, notifier/,
    ],
    ['an unknown template', { folder: 'a', template: 'toString' }, /"toString" is unknown; /],
    [
      'a name of a folder that is not an id',
      { folder: 'My Tags', template: 'hook' },
      /"My Tags" is not an id.*--id/,
    ],
    [
      'an id with a path',
      { folder: 'a', template: 'hook', id: '../a' },
      /--id "..\/a" is not an id/,
    ],
    ['an id that is too long', { folder: 'a', template: 'hook', id: 'a'.repeat(65) }, /at most 64/],
    [
      'a name of two lines',
      { folder: 'a', template: 'hook', name: 'a\nb' },
      /--name .* in one line/,
    ],
    ['no name', { folder: 'a', template: 'hook', name: ' ' }, /--name " ": give 1 to 80/],
    [
      'an author without end',
      { folder: 'a', template: 'hook', author: 'a'.repeat(201) },
      /1 to 200/,
    ],
    ['half a character', { folder: 'a', template: 'hook', author: '\ud800' }, /--author/],
  ])('%s, and says what would be right', (_, wish, message) => {
    expect(() => parseNewPlugin(wish, cwd)).toThrow(message);
  });
});

test('an id follows the schema of manifests', () => {
  const { pattern, maxLength } = pluginSchema.properties.id;
  const ids = ['a', '@a/b', '-a', 'A', '@/a', 'a/b', 'a'.repeat(64), 'a'.repeat(65), 'ä', ''];

  const taken = ids.filter((id) => {
    try {
      return parseNewPlugin({ folder: 'x', template: 'hook', id }, cwd).id === id;
    } catch {
      return false;
    }
  });
  const valid = ids.filter((id) => new RegExp(pattern).test(id) && id.length <= maxLength);
  expect(taken).toEqual(valid);
});

describe('asking', () => {
  const asked = async (wish: PluginWish, typed: string, isTTY = true) => {
    let said = '';
    const input = Object.assign(new PassThrough().end(typed), { isTTY });
    const answered = await askForMissing(wish, { input, write: (text) => (said += text) });
    return { answered, said };
  };

  test('asks for template and author, and lists the templates', async () => {
    const { answered, said } = await asked({ folder: 'a' }, 'indexer\nAda\n');

    expect(answered).toEqual({ folder: 'a', template: 'indexer', author: 'Ada' });
    for (const name of names) expect(said).toContain(name);
  });

  test('ends with the given values without answers', async () => {
    const { answered } = await asked({ folder: 'a', author: 'Ada' }, '');

    expect(answered).toEqual({ folder: 'a', template: undefined, author: 'Ada' });
  });

  test('asks nothing when the template is given, or without a terminal', async () => {
    const given = { folder: 'a', template: 'hook' };

    expect(await asked(given, 'x\n')).toEqual({ answered: given, said: '' });
    expect(await asked({ folder: 'a' }, 'hook\n', false)).toEqual({
      answered: { folder: 'a' },
      said: '',
    });
  });
});
