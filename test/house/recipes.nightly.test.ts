/**
 * The recipes name the files that a change is written in by hand. Each is followed here in a copy: after the
 * first file, the compiler names what lacks, and no more; with the others, the copy compiles.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const recipes = readFileSync(path.join(root, 'docs/contributors/RECIPES.md'), 'utf8');

/** What is written into one file: each text goes in front of the first place of another. */
interface Edit {
  readonly file: string;
  readonly texts: readonly (readonly [before: string, text: string])[];
}

/** An example of a recipe. The first file declares the new thing. */
interface Example {
  readonly recipe: string;
  /** The name of the example where the recipe has a placeholder. */
  readonly names: Readonly<Record<string, string>>;
  readonly edits: readonly [Edit, ...(readonly Edit[])];
  /** The files that do not compile after the first one: without them the change is not whole. */
  readonly asked: readonly string[];
}

const examples: readonly Example[] = [
  {
    recipe: 'Add a host method',
    names: {
      '<service>': 'kv',
      'the service': 'kernel/store/kv/kv-service.ts',
    },
    edits: [
      {
        file: 'plugin-api/host/kv.ts',
        texts: [
          [
            '  readonly set: (input',
            `  /** Whether there is a value. */
  readonly has: (input: { readonly key: string }) => Promise<{ readonly has: boolean }>;
`,
          ],
          [
            '  set: {',
            `  has: {
    ...short,
    needs: { key },
    done: { english: 'looked for a value of its own', german: 'nach einem eigenen Wert gesucht' },
  },
`,
          ],
        ],
      },
      {
        file: 'kernel/store/kv/kv-service.ts',
        texts: [
          [
            '    set: async',
            `    has: async ({ key }, { pluginId }) => ({ has: (await kv.get(pluginId, key)) !== undefined }),
`,
          ],
        ],
      },
    ],
    asked: ['kernel/store/kv/kv-service.ts'],
  },
  {
    recipe: 'Add a setting',
    names: {},
    edits: [
      {
        file: 'src/platform/config.ts',
        texts: [
          [
            '  logLevel: setting(',
            `  /** Most results of a search. */
  searchMost: setting('number', 'most results of a search', whole({ usual: 200, most: 1000 })),
`,
          ],
        ],
      },
    ],
    asked: [],
  },
  {
    recipe: 'Add a field to an item',
    names: {},
    edits: [
      {
        file: 'src/contract/resources/library/catalogue.ts',
        texts: [['  certification: Nullable(', '  sortTitle: Type.String(),\n']],
      },
      {
        file: 'src/library/catalogue/items/item.ts',
        texts: [['    certification: row.certification,', '    sortTitle: row.sort_title,\n']],
      },
    ],
    asked: ['src/library/catalogue/items/item.ts'],
  },
  {
    recipe: 'Add a route',
    names: { '<area>': 'library', '<resource>': 'items' },
    edits: [
      {
        file: 'src/http/routes/library/items.ts',
        texts: [
          [
            "  route('GET /api/items/months'",
            `  route('GET /api/items/languages/count', {
    holdsNoSecret: true,
    operation: 'countItemLanguages',
    summary: 'How many languages the sound of items has',
    query: schema.LanguagesQuery,
    reply: schema.LanguageCountReply,
    handler: async ({ query, viewer }) => ({ count: (await items.languages(viewer, query)).length }),
  });

`,
          ],
        ],
      },
      {
        file: 'src/contract/resources/library/items.ts',
        texts: [
          [
            'export const LanguagesReply',
            'export const LanguageCountReply = Type.Object({ count: Type.Integer() });\n',
          ],
        ],
      },
    ],
    // The schema that the route names is not there.
    asked: ['src/http/routes/library/items.ts'],
  },
];

/** The files of the line "By hand" of a recipe. */
function filesByHand({ recipe, names }: Example): readonly string[] {
  const [, section = ''] = recipes.split(`\n## ${recipe}\n`);
  const [, line = ''] =
    /^By hand[^:]*: (.*?)\.(?:\s|$)/m.exec(section.split('\n## ', 1)[0] ?? '') ?? [];
  return line.split(/ and |, /).map((part) => {
    const [, file = part] = /`(.*)`/.exec(part) ?? [];
    return Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), file);
  });
}

let copy: string;

const compiled = ['kernel', 'manifests-schema', 'packages', 'plugin-api', 'src', 'builtin-plugins'];
const isTest = /\.test\.tsx?$/;

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'vitrine-recipes-'));
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(copy, 'package.json'));
  await cp(path.join(root, 'tsconfig.json'), path.join(copy, 'tsconfig.json'));
  for (const folder of compiled)
    await cp(path.join(root, folder), path.join(copy, folder), {
      recursive: true,
      filter: (file) => !isTest.test(file) && !/(^|\/)(node_modules|dist)$/.test(file),
    });
});

afterAll(() => rm(copy, { recursive: true }));

async function write({ file, texts }: Edit): Promise<void> {
  const place = path.join(copy, file);
  let text = await readFile(place, 'utf8');
  for (const [before, added] of texts) {
    expect(text, `${file} has the place ${before}`).toContain(before);
    text = text.replace(before, () => added + before);
  }
  await writeFile(place, text);
}

/** The files that do not compile, with what the compiler says. */
async function refused(): Promise<ReadonlyMap<string, string>> {
  const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [tsc, '--project', copy, '--pretty', 'false'],
    { cwd: copy },
  ).catch((error: unknown) => error as { readonly stdout: string });
  const lines = [...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): (error .*)$/gm)];
  return new Map(lines.map(([, file = '', fault = '']) => [file, fault]));
}

test.each(examples)('$recipe: its files are those of the example', (example) => {
  expect(filesByHand(example)).toEqual(example.edits.map(({ file }) => file));
});

test('the compiler asks for each further file, and is content with all of them', async () => {
  for (const { edits } of examples) await write(edits[0]);
  const further = examples.flatMap(({ edits: [, ...others] }) => others);

  const asked = await refused();
  for (const edit of further) await write(edit);
  const left = await refused();

  expect([...asked.keys()].sort()).toEqual(examples.flatMap((one) => one.asked).sort());
  expect([...left]).toEqual([]);
});
