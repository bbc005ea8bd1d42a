/** Each power has its schema, its sentence, its page, and a test in which a stranger's plugin abuses it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sentenceOf } from '../../kernel/run/powers/permission-sentences.ts';
import { permissionsSchema, pluginSchema } from '../../manifests-schema/index.ts';
import { Permissions as WirePermissions } from '../../src/contract/resources/plugins/plugin.ts';
import type { EventGroup, PermissionName, Permissions } from '../../plugin-api/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The page of each power, and the most of it that can be granted. */
const powers: Readonly<
  Record<PermissionName, { readonly page: string; readonly most: Permissions }>
> = {
  net: { page: 'net', most: { net: ['*'] } },
  files: { page: 'fs', most: { files: 'read' } },
  disk: { page: 'disk', most: { disk: 'read' } },
  library: { page: 'library', most: { library: 'write' } },
  viewing: { page: 'viewing', most: { viewing: 'write' } },
  metadata: { page: 'metadata', most: { metadata: 'write' } },
  kv: { page: 'kv', most: { kv: { quotaMb: 1 } } },
  textIndex: { page: 'textIndex', most: { textIndex: true } },
  events: { page: 'events', most: { events: 'emit' } },
  eventLog: { page: 'eventLog', most: { eventLog: true } },
  notifications: { page: 'notifications', most: { notifications: true } },
  jobs: { page: 'jobs', most: { jobs: ['tidy'] } },
  calls: { page: 'calls', most: { calls: ['film-facts:rating'] } },
  schedule: { page: 'schedule', most: { schedule: true } },
  secrets: { page: 'secrets', most: { secrets: true } },
  wasm: { page: 'wasm', most: { wasm: true } },
  serves: { page: 'serves', most: { serves: ['search', 'filesystem:s3'] } },
  hears: { page: 'hears', most: { hears: ['library', 'playback'] } },
  hooks: { page: 'hooks', most: { hooks: ['pipeline.probe.afterProcess'] } },
};

const names = Object.keys(powers) as PermissionName[];

describe('each power', () => {
  test('has its schema, and no schema is of none', () => {
    const { properties } = JSON.parse(read('manifests-schema/permissions.schema.json')) as {
      readonly properties: object;
    };

    expect(
      Object.keys(properties)
        .filter((name) => name !== 'reasons')
        .sort(),
    ).toEqual([...names].sort());
  });

  test('is in the replies of the API, and no reply has another', () => {
    expect(Object.keys(WirePermissions.properties).sort()).toEqual([...names, 'reasons'].sort());
  });

  test('is in the signed index by the same schema', () => {
    expect(read('manifests-schema/marketplace-index.schema.json')).toContain(
      '"$ref": "permissions.schema.json"',
    );
  });

  test('can have a reason in the manifest', () => {
    const { reasons } = permissionsSchema.properties;

    expect([...reasons.propertyNames.enum].sort()).toEqual([...names].sort());
    expect(reasons.maxProperties).toBe(names.length);
  });

  test('of serving has words for each capability', () => {
    const { enum: capabilities } = pluginSchema.properties.capabilities.items;

    for (const capability of [...capabilities, 'job']) {
      const sentence = sentenceOf('serves', { serves: [`${capability}:x`] });
      expect(sentence).not.toBe(`It serves ${capability}.`);
    }
  });

  test('of hearing has words for each group, and a row in its page', () => {
    const groups = permissionsSchema.properties.hears.items.enum as readonly EventGroup[];
    const page = read('docs/powers/hears.md');

    for (const group of groups) {
      expect(sentenceOf('hears', { hears: [group] })).toMatch(/^It learns \w.+\.$/);
      expect(page).toMatch(new RegExp(`\\| \`${group}\` `));
    }
  });

  test.each(names)('%s has a page: what it gives, its limits, its errors, and a sample', (name) => {
    const page = read(`docs/powers/${powers[name].page}.md`);

    expect(page).toMatch(/^# \w+\n\n\S/);
    expect(page).toContain('\n## Limits\n\n');
    expect(page).toContain('\n## Errors\n\n');
    expect(page).toContain('```ts\n');
    expect(page).toContain(`"${name}":`);
  });

  test('has a row in the list of pages, and no page is of none', () => {
    const list = read('docs/powers/README.md');
    const pages = readdirSync(path.join(root, 'docs/powers')).filter(
      (file) => file !== 'README.md',
    );

    expect(pages.sort()).toEqual(names.map((name) => `${powers[name].page}.md`).sort());
    for (const name of names) expect(list).toMatch(new RegExp(`\\| \`${name}\` +\\| \\[`));
  });

  test.each(names)('%s has a sentence that an admin reads', (name) => {
    expect(sentenceOf(name, powers[name].most)).toMatch(/^It .+\.$/);
  });

  test('is abused by a stranger’s plugin, once without the grant and once with it', () => {
    const abuse = read('test/end-to-end/powers.test.ts');
    const shown: Readonly<Partial<Record<PermissionName, string>>> = {
      metadata: 'metadata: what a hook answers without it changes nothing',
      serves: 'serves: is not asked while a part of the server answers for the key',
      hears: 'hears: gives the events of its group, and no others',
      hooks: 'hooks: leaves a plugin unasked and untold',
      wasm: "act('poor', 'wasm')",
    };

    for (const name of names) {
      const proofs = shown[name] ? [shown[name]] : [`['${name}', '`, `'${name}', '`];
      for (const proof of proofs) expect(abuse).toContain(proof);
      if (!shown[name]) expect(abuse.split(`['${name}', '`).length - 1).toBeGreaterThan(1);
    }
  });

  test('names in its page each code that its service may answer with', () => {
    const codes = /`(permission_denied|not_found|quota_exceeded|net_\w+|outside_root)`/;
    const silent = new Set<PermissionName>(['metadata', 'wasm', 'hears', 'hooks']);

    for (const name of names.filter((one) => !silent.has(one)))
      expect(read(`docs/powers/${powers[name].page}.md`)).toMatch(
        new RegExp(`${codes.source}|\`invalid_argument\``),
      );
  });
});
