/** Plugins with several faults: `check` tells all of them at once, each with what is right. */
import { expect, test } from 'vitest';
import { createAuthorFolder } from '../../../../test/support/plugins/author-plugin.ts';
import { reviewAt } from './plugin-check.ts';

interface Wrong {
  readonly manifest?: object;
  readonly source: string;
  /** Further files; an empty text removes nothing and is a file. */
  readonly files?: Readonly<Record<string, string>>;
  /** One list of words for each fault: those that name it, and those that say what is right. */
  readonly says: readonly (readonly string[])[];
}

const fine = 'export default {};';
const noFiles = [['There is no README'], ['There is no LICENSE']] as const;

const plugins: Readonly<Record<string, Wrong>> = {
  'a manifest with faults of its form, of its rules, and a source that does not parse': {
    manifest: {
      name: '',
      version: '1.0',
      permissions: { disk: 'read', kv: true },
      configuration: [{ key: 'a', label: 'A', input: 'select' }],
    },
    source: 'export default {\n  a: ,\n};',
    says: [
      ['name: ""', '1 to 80'],
      ['version: "1.0"', '1.4.0'],
      ['permissions.kv', 'an object with quotaMb'],
      ['permissions.disk', 'others ask for files'],
      ['configuration[0].options', 'values to choose'],
      ['index.ts:2:6', 'Unexpected'],
      ...noFiles,
    ],
  },
  'two modules that are not there, and no reasons': {
    manifest: { permissions: { kv: { quotaMb: 1 } } },
    source: "import 'node:fs';\nimport 'lodash';\nexport default {};",
    says: [
      ['index.ts:1:', 'node:fs', 'host.fs reads'],
      ['index.ts:2:', 'npm install lodash'],
      ['permissions.kv has no reason', 'an admin will read'],
      ...noFiles,
    ],
  },
  'a manifest that is not JSON and a source that imports what is not there': {
    source: "import '../other.ts';\nexport default {};",
    files: { 'manifest.json': '{ "id": "tried-out", "main": "index.js", }' },
    says: [['manifest', 'not JSON'], ['index.ts:1:', '../other.ts'], ...noFiles],
  },
  'a language file that changes more than words, and a capability without its configuration': {
    manifest: { capabilities: ['probe'] },
    source: 'export default {',
    files: { 'locales/de.json': '{ "version": "2.0.0" }' },
    says: [
      ['locales/de.json', 'version'],
      ['index.ts:1:', 'Expected'],
      ['capabilityConfig.probe.extensions'],
      ...noFiles,
    ],
  },
  'a start that throws, a global that is not there, and a README of the template': {
    source:
      'undefined.boom;\nexport default { events: { "library.item.added": () => fetch("") } };',
    files: {
      'README.md': '<!-- vitrine plugin check warns until this line is gone. -->',
      LICENSE: 'MIT',
    },
    says: [
      ['index.ts:1:', 'boom'],
      ['fetch', 'host.net.fetch'],
      ['README.md is still that of the template', 'say what the plugin does'],
    ],
  },
  'nothing but what it should have beside its code': { source: fine, says: [...noFiles] },
};

test.each(Object.keys(plugins))(
  '%s',
  async (name) => {
    const { manifest = {}, source, files = {}, says } = plugins[name] as Wrong;
    const { folder, write, remove } = createAuthorFolder(manifest, source);
    try {
      for (const [file, text] of Object.entries(files)) write(file, text);

      const { findings } = await reviewAt(folder, { types: false });

      const said = findings.map(({ message }) => message);
      for (const words of says)
        expect(said).toContainEqual(
          expect.toSatisfy(
            (one: string) => words.every((word) => one.includes(word)),
            words.join(', '),
          ),
        );
      expect(new Set(said).size).toBe(said.length);
    } finally {
      remove();
    }
  },
  60_000,
);
