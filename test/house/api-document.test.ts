/** The API document is one from which a client can be generated. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { readApiDocument } from '../support/servers/api-document.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly 'x-role': string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
  };
}

const root = path.resolve(import.meta.dirname, '../..');
let text: string;
let document: Document;
let operations: readonly Operation[];

beforeAll(async () => {
  text = await readApiDocument();
  document = JSON.parse(text) as Document;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});

const verbs =
  /^(accept|activate|add|answer|begin|cancel|change|check|choose|claim|complete|confirm|create|delete|disable|download|enable|end|find|get|install|list|lookAt|mark|merge|open|preview|put|redeem|redeliver|refresh|refuse|remove|rename|rescan|reset|restart|restore|retry|rollBack|run|search|set|setUp|show|sign|signIn|signOut|split|stream|test|uninstall|unlock|update|upgrade)([A-Z]\w*)?$/;

describe('every operation', () => {
  test('has a name of its own, a verb with its object', () => {
    const names = operations.map(({ operationId }) => operationId);

    expect(names.filter((name) => !verbs.test(name))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('says who may call it, for programs', () => {
    const wrong = operations.filter(
      ({ security, ...one }) =>
        !['nobody', 'guest', 'user', 'admin'].includes(one['x-role']) ||
        (security?.length === 0) !== (one['x-role'] === 'nobody'),
    );

    expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('refuses with the schema Error', () => {
    for (const { operationId, responses } of operations)
      expect({ operationId, refusal: responses['4XX'], failure: responses['5XX'] }).toEqual({
        operationId,
        refusal: { $ref: '#/components/responses/Refusal' },
        failure: { $ref: '#/components/responses/Failure' },
      });
  });
});

describe('every field with an address', () => {
  test('says so by its format', () => {
    expect(addressesIn(document)).toEqual([]);
  });
});

/** The fields whose name says that they are addresses, and whose schema does not. */
function addressesIn(part: unknown, at = ''): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part as Readonly<Record<string, unknown>>).flatMap(([key, inner]) => {
    if (key === 'example' || key === 'examples') return [];
    const isField = at.endsWith('/properties') && isAddress.test(key);
    const isWrong = isField && isTextWithout(inner);
    return [...(isWrong ? [`${at}/${key}`] : []), ...addressesIn(inner, `${at}/${key}`)];
  });
}

const isAddress = /^(ur[li]s?|homepage|repository|mirrors|\w+Ur[li]s?)$/;

function isTextWithout(schema: unknown): boolean {
  const { type, format, items } = schema as Record<'type' | 'format' | 'items', unknown>;
  if (items !== undefined) return isTextWithout(items);
  return [type].flat().includes('string') && format !== 'uri' && format !== 'uri-reference';
}

describe('every list', () => {
  /** The pieces of a view are an array in the specification, and plugins give few. */
  const whole = ['listViews'];

  test('answers nextCursor and takes limit and cursor', () => {
    const lists = operations.filter(({ operationId }) => /^list[A-Z]/.test(operationId));
    const wrong = lists.filter(({ parameters = [], responses }) => {
      const keys = parameters.map(({ name }) => name);
      const shown = JSON.stringify(responses['200']);
      return !keys.includes('limit') || !keys.includes('cursor') || !shown.includes('nextCursor');
    });

    expect(wrong.map(({ operationId }) => operationId).sort()).toEqual(whole);
  });
});

describe('the document', () => {
  test('passes the recommended rules of Redocly', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-lint-'));
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, text);
    const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', file, '--format', 'json'],
      { cwd: folder, env, maxBuffer: 16 * 1024 ** 2 },
    ).catch((error: unknown) => error as { stdout: string });
    const { totals, problems } = JSON.parse(stdout) as {
      readonly totals: { readonly errors: number };
      readonly problems: readonly { readonly severity: string; readonly ruleId: string }[];
    };
    await rm(folder, { recursive: true });

    expect(totals.errors).toBe(0);
    // Paths of the specification, a connection that becomes a WebSocket, and its messages.
    const known = ['no-ambiguous-paths', 'operation-2xx-response', 'no-unused-components'];
    expect(problems.map(({ ruleId }) => ruleId).filter((rule) => !known.includes(rule))).toEqual(
      [],
    );
  });

  test('names the schema of every resource, and refers only to what it has', () => {
    const { schemas } = document.components;
    const referred = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = '']) => name,
    );

    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Item', 'Job', 'Plugin', 'Library', 'Notification', 'Error']),
    );
    expect(new Set(referred)).toEqual(new Set(Object.keys(schemas)));
  });

  test('has no two paths that differ only in the names of parameters', () => {
    const forms = Object.keys(document.paths).map((one) => one.replaceAll(/\{\w+\}/g, '{}'));

    expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([]);
  });

  test('spells lists in a query as the server reads them', () => {
    const { get: jobs } = document.paths['/api/jobs'] as unknown as Record<
      string,
      { readonly parameters: readonly { readonly name: string }[] }
    >;

    expect(jobs?.parameters.find(({ name }) => name === 'status')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { $ref: '#/components/schemas/JobStatus' } },
    });
  });

  test('says which bodies may be absent', () => {
    const bodyOf = (name: string) =>
      operations.find(({ operationId }) => operationId === name)?.requestBody?.required;

    expect([bodyOf('createBackup'), bodyOf('createLibrary')]).toEqual([false, true]);
  });

  test('has an example of a tile with a type that tiles of its server have', () => {
    const { Tile } = document.components.schemas;
    const [tile] = (Tile?.examples ?? []) as readonly { readonly type: string }[];

    expect(['film', 'episode', 'track', 'audiobook', 'book', 'photo']).toContain(tile?.type);
  });

  test('has examples that fit their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
    ajv.addSchema(document, 'document');
    const faults = Object.entries(document.components.schemas).flatMap(([name, { examples }]) => {
      if (examples === undefined) return [];
      const validate = ajv.getSchema(`document#/components/schemas/${name}`);
      return examples
        .filter((example) => !validate?.(example))
        .map(() => `${name}: ${ajv.errorsText(validate?.errors)}`);
    });

    expect(faults).toEqual([]);
  });

  test('has an example of each resource that clients read or send most', () => {
    const without = Object.entries(document.components.schemas)
      .filter(([, { examples = [] }]) => examples.length === 0)
      .map(([name]) => name);

    expect(without.length).toBeLessThan(Object.keys(document.components.schemas).length * 0.75);
    const main = ['Item', 'Tile', 'Library', 'Job', 'User', 'Profile', 'Plugin', 'Health', 'Task'];
    expect(without.filter((name) => main.includes(name))).toEqual([]);
  });

  test('is the same each time, and at most 345 KB', async () => {
    expect(await readApiDocument()).toBe(text);
    expect(text.length).toBeLessThan(345_000);
  });

  test('has words of its own for every reply', () => {
    expect(text).not.toContain('Default Response');
  });
});
