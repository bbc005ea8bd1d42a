import { Ajv2020 } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { permissionsSchema, pluginSchema } from '../../manifests-schema/index.ts';
import { eventNames, hookNames, viewNames } from '../../plugin-api/index.ts';

const examples = path.resolve(import.meta.dirname, '../../manifests-schema/examples');

/** What the refusal of each invalid example must say: the path, the value, and what is right. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  'action-access-unknown': ['actions[0]', 'guest', 'with admin or user'],
  'action-twice-with-access': ['actions[1]', '"refresh"', 'once'],
  'action-without-access': ['actions[0]', 'with admin or user'],
  'action-twice': ['actions[1]', 'actions[0]', 'once'],
  'action-with-space': ['actions[0]', '"do it"', 'a letter, then letters, digits'],
  'calls-of-itself': ['permissions.calls[0]', 'of this plugin', 'leave it out'],
  'calls-without-a-method': ['permissions.calls[0]', '"film-facts"', 'film-facts:rating'],
  'capability-config-without-capability': ['capabilityConfig.filesystem', 'capabilities'],
  'capability-twice': ['capabilities[0]', 'capabilities[1]', 'once'],
  'capability-unknown': ['capabilities[0]', '"telepathy"', 'filesystem, library, probe'],
  'compatibility-date-before-the-first': ['compatibilityDate', '"2020-01-01"', '2026-11-21'],
  'compatibility-date-no-day': ['compatibilityDate', '"2026-02-30"', '2026-11-21 or later'],
  'compatibility-date-spelled-otherwise': ['compatibilityDate', '"21.11.2026"', '2026-11-21'],
  'cpu-above-1000': ['resources.cpuMsPerSecond', '2000', 'above 1000'],
  'dependency-id-wrong': ['dependencies.Tags', '"Tags"', 'lower-case letters'],
  'dependency-on-itself': ['dependencies["sidecars"]', 'itself', 'leave it out'],
  'dependency-range-wrong': ['dependencies["tags"]', '"latest"', '^1.2.0'],
  'disk-without-filesystem': ['permissions.disk', '"read"', 'capability filesystem'],
  'event-of-a-plugin-without-name': ['events[0]', '"plugin.tags.a.b"', 'plugin.<slug>.<name>'],
  'event-unknown': ['subscriptions.events[0]', '"library.item.eaten"', 'event of the server'],
  'event-with-double-star': ['subscriptions.events[0]', '"library.**"', 'one whole segment'],
  'event-with-empty-segment': ['subscriptions.events[0]', '"library..added"', 'library.item.*'],
  'event-with-partial-star': ['subscriptions.events[0]', '"library.li*.added"', 'whole segment'],
  'extension-with-dot': ['library.paths[0].extensions[0]', '".mkv"', 'without the dot'],
  'export-that-takes-a-list': ['exports[0].input.type', '"array"', 'right is "object"'],
  'export-twice': ['exports[1].name', '"rating"', 'its own'],
  'export-with-a-pattern': ['exports[0].input.properties.imdb.pattern', 'not known', 'maxLength'],
  'export-without-output': ['exports[0].output is missing'],
  'field-default-for-a-secret': ['configuration[0].default', 'secret', 'leave it out'],
  'field-default-no-option': ['configuration[0].default', '"z"', '"x", "y"'],
  'field-default-of-wrong-kind': ['configuration[0].default', '"yes"', 'true or false'],
  'field-default-out-of-range': ['configuration[0].default', '7', 'above 3'],
  'field-grants-by-a-text': ['configuration[0].grants', '"text"', 'string-list'],
  'field-grants-by-default': ['configuration[0].default', 'start empty', 'leave it out'],
  'field-input-unknown': ['configuration[0].input', '"date"', 'text, secret, number'],
  'field-key-of-a-prototype': ['configuration[0].key', '"constructor"', 'another name'],
  'field-key-twice': ['configuration[1].key', '"a"', 'configuration[0]'],
  'field-min-for-text': ['configuration[0].min', '"text"', 'number and slider'],
  'field-min-not-below-max': ['configuration[0].min', '9', 'max, which is 3'],
  'field-options-for-text': ['configuration[0].options', '"text"', 'select and multi-select'],
  'field-select-without-options': ['configuration[0].options', '"select"', 'values to choose'],
  'field-slider-without-max': ['configuration[0].max', 'missing', 'both ends'],
  'homepage-no-url': ['homepage', '"javascript:alert(1)"', 'https://'],
  'hook-order-above-100': ['subscriptions.hooks[0].order', '140', 'above 100', '0 to 100'],
  'hook-order-below-0': ['subscriptions.hooks[0].order', '-1', 'below 0', '0 to 100'],
  'hook-order-no-integer': ['subscriptions.hooks[0].order', '50.5', 'an integer from 0 to 100'],
  'hook-twice': ['subscriptions.hooks[1].name', 'pipeline.probe.afterProcess', 'once'],
  'hook-unknown': ['hooks[0].name', '"pipeline.probe.beforeProcess"', 'pipeline.scan.prepare'],
  'id-missing': ['id', 'missing', 'lower-case letters'],
  'id-that-begins-with-a-dash': ['id', '"-sidecars"', 'lower-case letters'],
  'id-with-a-path': ['id', '"../sidecars"', 'lower-case letters'],
  'id-with-capitals': ['id', '"Sidecars"', 'lower-case letters'],
  'instances-above-4': ['resources.instances', '5', 'above 4'],
  'key-misspelled': ['permisions', 'not known', 'permissions may be meant'],
  'key-unknown': ['colour', 'not known', 'known are manifestVersion, id'],
  'kv-quota-zero': ['permissions.kv.quotaMb', '0', 'above 0'],
  'kv-true': ['permissions.kv', 'a boolean, not an object', 'an object with quotaMb'],
  'kv-without-quota': ['permissions.kv.quotaMb', 'missing', 'in MB'],
  'main-absolute': ['main', '"/index.js"', 'dist/index.js'],
  'main-no-script': ['main', '"index.wasm"', '.js or .mjs'],
  'main-with-backslash': ['main', 'dist', 'a relative path'],
  'main-with-parent-path': ['main', '"../index.js"', 'without . and ..'],
  'manifest-version-2': ['manifestVersion', '2', 'not 1'],
  'media-type-with-space': ['mediaTypes[0]', '"home movies"', 'movies, tv, music'],
  'memory-above-512': ['resources.memoryMb', '1024', 'above 512'],
  'memory-zero': ['resources.memoryMb', '0', '1 to 512'],
  'min-version-no-range': ['minVersion', '"newest"', '>=0.1.0'],
  'name-empty': ['name', '""', '1 to 80 characters'],
  'nested-too-deep': ['The manifest', 'more than 12 levels deep'],
  'net-lanes-above-64': ['resources.netLanes', '65', 'above 64'],
  'net-rate-of-a-url': ['netRequestsPerSecond', 'https://api.example.org', 'pattern of hosts'],
  'net-rate-zero': ['netRequestsPerSecond', '0', '0.01'],
  'net-with-port-zero': ['permissions.net[0]', '"api.example.org:0"', ':8443'],
  'net-with-scheme': ['permissions.net[0]', '"https://api.example.org"', 'without scheme'],
  'net-with-star-inside': ['permissions.net[0]', '"api.*.org"', '*.example.org'],
  'not-an-object': ['The manifest', '["sidecars"]', 'an object'],
  'permission-false': ['permissions.wasm', 'false', 'not true'],
  'permission-level-unknown': ['permissions.library', '"admin"', 'read, write'],
  'permission-reason-for-nothing-known': ['permissions.reasons.shell', '"shell"', 'net or files'],
  'permission-unknown': ['permissions.shell', 'known are net, files'],
  'prototype-key': ['__proto__', 'never allowed'],
  'version-with-leading-v': ['version', '"v1.0.0"', '1.4.0'],
  'version-with-leading-zero': ['version', '"01.0.0"', '1.4.0'],
  'version-with-two-numbers': ['version', '"1.0"', '1.4.0'],
  'view-unknown': ['subscriptions.views[0]', '"ui.home"', 'ui.item.detail.actions'],
  'profile-field-that-grants': ['profileConfiguration[0].grants', 'leave it out'],
  'profile-secret-with-capital': ['profileConfiguration[0].key', '"Token"', 'small letter'],
  'profile-secret-without-permission': ['profileConfiguration[0].input', 'permissions.secrets'],
  'starts-unknown': ['resources.starts', '"later"', 'at-once, on-demand'],
};

const reader = createManifestReader({ isForAuthor: true });

describe('the manifest examples', () => {
  test.each(lessons('valid'))('%s is taken', (lesson) => {
    const parsed = reader.parseText(example('valid', lesson));

    expect(parsed).toEqual({ ok: true, value: JSON.parse(example('valid', lesson)) });
  });

  test.each(lessons('invalid'))('%s is refused, with path, value and what is right', (lesson) => {
    const parsed = reader.parseText(example('invalid', lesson));

    const message = parsed.ok ? 'It was taken.' : parsed.faults.join('\n');
    const missing = (refusals[lesson] ?? ['an entry in the table']).filter(
      (part) => !message.includes(part),
    );
    expect({ message, missing }).toEqual({ message, missing: [] });
  });

  test('each have an expectation, and each expectation an example', () => {
    expect(lessons('invalid')).toEqual(Object.keys(refusals).sort());
  });
});

describe('the manifest schema', () => {
  test('names exactly the events, hooks and views of plugin-api', () => {
    const { eventName, hookName, viewName } = pluginSchema.$defs;

    expect([eventName.enum, hookName.enum, viewName.enum]).toEqual([
      eventNames,
      hookNames,
      viewNames,
    ]);
  });

  test('is a valid JSON Schema 2020-12, and so is that of the permissions', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

    expect([ajv.validateSchema(permissionsSchema), ajv.validateSchema(pluginSchema)]).toEqual([
      true,
      true,
    ]);
  });
});

function lessons(kind: 'valid' | 'invalid'): readonly string[] {
  const names = readdirSync(path.join(examples, kind));
  return names.map((name) => path.basename(name, '.json')).sort();
}

function example(kind: 'valid' | 'invalid', lesson: string): string {
  return readFileSync(path.join(examples, kind, `${lesson}.json`), 'utf8');
}
