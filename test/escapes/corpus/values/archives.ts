import { createManifestReader } from '../../../../kernel/run/manifest/index.ts';
import { openArchive } from '../../../../kernel/run/packages/index.ts';
import { seal } from '../../../../kernel/run/packages/envelope.ts';
import { signatureOf } from '../../../../kernel/run/packages/package-signature.ts';
import { writeTar } from '../../../../kernel/run/packages/tar.ts';
import { createPublisher, manifestOf } from '../../../support/plugins/packages.ts';
import type { ValueClass } from '../attempt.ts';

const reader = createManifestReader();
const signer = createPublisher();
const text = JSON.stringify(manifestOf({ id: 'a-plugin' }));
const parsed = reader.parseText(text);
const own = { 'manifest.json': text, 'index.js': 'export default {};' };

/** A package with files of any name at all, and a signature that is right for them. */
function pack(further: Readonly<Record<string, string>>, after: Readonly<Record<string, string>> = {}): Uint8Array {
  if (!parsed.ok) throw new Error(parsed.faults.join(' '));
  const files = new Map(Object.entries({ ...own, ...further }).map(([name, content]) => [name, Buffer.from(content)] as const));
  const signature = signatureOf(files, parsed.value, signer);
  const late = Object.entries(after).map(([name, content]) => [name, Buffer.from(content)] as const);
  return seal(writeTar(new Map([...files, ['signature.json', Buffer.from(signature)] as const, ...late])));
} // oxfmt-ignore

const named = (name: string): Uint8Array => pack({ [name]: 'x' });

/** Whole packages, signed with a key of their own. */
export const archives: ValueClass = {
  name: 'packages',
  honest: pack({ 'assets/a.svg': '<svg/>' }),
  attempts: {
    'a file that climbs': named('../evil.js'),
    'a file that climbs later': named('a/../../evil.js'),
    'a file at the root of the disk': named('/etc/cron.d/evil'),
    'a file with a backslash': named('a\\b.js'),
    'a file on another drive': named('C:evil.js'),
    'a file named like a device': named('con.js'),
    'a file named like a device, below': named('a/nul'),
    'a file with a space at its end': named('a .'),
    'a file with a dot at its end': named('a.'),
    'a file with a colon': named('index.js:evil'),
    'a file with a line end': named('a\nb.js'),
    'a file with letters beyond ASCII': named('\u00e9vil.js'),
    'a file with an empty name': named('a//b.js'),
    'a file named like a dot': named('./a.js'),
    'a file that differs by case': named('INDEX.js'),
    'a file that is a folder elsewhere': named('index.js/a'),
    'a name without end': named(`${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(90)}/${'d'.repeat(90)}`),
    'a file that was not signed': pack({}, { 'zz.js': 'export default 1;' }),
    'another main than was signed': pack({}, { 'index.js': 'export default { evil: true };' }),
    'another manifest than was signed': pack({}, { 'manifest.json': text.replace('1.0.0', '9.0.0') }),
    'a signature of nothing': pack({}, { 'signature.json': '{}' }),
    'a signature that is not JSON': pack({}, { 'signature.json': '{"__proto__":' }),
    'bytes behind its end': Buffer.concat([pack({}), Buffer.from('PK')]),
    'two in one': Buffer.concat([pack({}), pack({})]),
    'the half of one': pack({}).subarray(0, 400),
  },
  wins: async (value: Uint8Array) => (await openArchive(value, { reader })).ok,
}; // oxfmt-ignore
