import { createManifestReader } from '../../../../kernel/run/manifest/index.ts';
import { manifestOf } from '../../../support/plugins/packages.ts';
import type { ValueClass } from '../attempt.ts';

const reader = createManifestReader();
const honest = manifestOf({ id: 'a-plugin' });
const text = JSON.stringify(honest);
const withMore = (more: object): object => ({ ...honest, ...more });

/** What a package says of itself. Texts are taken as the file, all else as its content. */
export const manifests: ValueClass = {
  name: 'manifests',
  honest,
  attempts: {
    'an id that climbs': withMore({ id: '../victim' }),
    'an id with a slash': withMore({ id: 'a/b' }),
    'an id with NUL': withMore({ id: 'a\0b' }),
    'an id in capitals': withMore({ id: 'Victim' }),
    'an id with letters that look the same': withMore({ id: 'v\u0456ctim' }),
    'an id of a prototype': withMore({ id: '__proto__' }),
    'an id without end': withMore({ id: 'a'.repeat(500) }),
    'an id that is a list': withMore({ id: ['a-plugin'] }),
    'a main outside': withMore({ main: '../../etc/passwd.js' }),
    'a main with a scheme': withMore({ main: 'file:///etc/passwd.js' }),
    'a main with a backslash': withMore({ main: 'a\\..\\b.js' }),
    'a main with NUL': withMore({ main: 'index.js\0.png' }),
    'a main that is absolute': withMore({ main: '/index.js' }),
    'an unknown permission': withMore({ permissions: { shell: true } }),
    'a permission of a prototype': JSON.parse(text.replace('"permissions":{}', '"permissions":{"__proto__":{"disk":"read"}}')) as unknown,
    'a host with a scheme': withMore({ permissions: { net: ['https://example.org'] } }),
    'a host with a star inside': withMore({ permissions: { net: ['a*.example.org'] } }),
    'a host with a path': withMore({ permissions: { net: ['example.org/a'] } }),
    'a host with a user name': withMore({ permissions: { net: ['a@example.org'] } }),
    'a store without measure': withMore({ permissions: { kv: { quotaMb: 1e9 } } }),
    'a store of less than nothing': withMore({ permissions: { kv: { quotaMb: -1 } } }),
    'memory without measure': withMore({ resources: { memoryMb: 1e9 } }),
    'a hook out of order': withMore({ subscriptions: { hooks: [{ name: 'pipeline.scan.prepare', order: -1 }] } }),
    'every event there is': withMore({ subscriptions: { events: ['**'] } }),
    'the disk without a filesystem': withMore({ permissions: { disk: 'read' } }),
    'a dependency on itself': withMore({ dependencies: { 'a-plugin': '*' } }),
    'an invalid version': withMore({ version: '1.0.0 || *' }),
    'an action with a path': withMore({ actions: ['../wipe'] }),
    'an action of a prototype': withMore({ actions: ['__proto__'] }),
    'scripts of another kind of package': withMore({ scripts: { postinstall: 'sh' }, bin: {} }),
    'a setting named like a prototype': withMore({ configuration: [{ key: '__proto__', label: 'x', input: 'text' }] }),
    'a depth without end': text.replace('"permissions":{}', `"permissions":${'['.repeat(5000)}${']'.repeat(5000)}`),
    'a file without end': `${text}${' '.repeat(300_000)}`,
    'a comment': `/* */ ${text}`,
    'two of them': text + text,
    'a byte order mark': `\ufeff${text}`,
  },
  wins: (value: unknown) => (typeof value === 'string' ? reader.parseText(value) : reader.parse(value)).ok,
}; // oxfmt-ignore
