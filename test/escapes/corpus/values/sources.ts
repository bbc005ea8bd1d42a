import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../../kernel/log.ts';
import { createPacker } from '../../../../kernel/run/scripts/packer.ts';
import type { ValueClass } from '../attempt.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-sources-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const secret = path.join(folder, 'secret.js');
writeFileSync(secret, 'export default "canary-of-the-disk";');
writeFileSync(path.join(folder, 'secret.json'), '{"canary-of-the-disk":1}');
const packer = createPacker({ cacheFolder: path.join(folder, 'cache'), log: silentLog });
const beside = (line: string): string => `${line}\nexport default {};`;

/** Sources of plugins, on their way through the bundler of the server. */
export const sources: ValueClass = {
  name: 'sources that read the disk of the author who packs them',
  honest: 'export default "canary-of-the-disk, in its own words";',
  attempts: {
    'an import of a file': `import x from '${secret}'; export default x;`,
    'an import of a file by its address': `import x from 'file://${secret}'; export default x;`,
    'an import beside it': beside(`import './secret.js';`),
    'an import that climbs': beside(`import '../../../../../../../../../..${secret}';`),
    'an import as text': beside(`import x from '${secret}' with { type: 'text' }; console.log(x);`),
    'an import of JSON': beside(`import x from '${path.join(folder, 'secret.json')}' with { type: 'json' }; console.log(x);`),
    'an import of data': beside(`import x from 'data:text/javascript,export default 1'; console.log(x);`),
    'an import of a module of Node': beside(`import fs from 'node:fs'; console.log(fs);`),
    'an import of a package of the server': beside(`import ivm from 'isolated-vm'; console.log(ivm);`),
    'an import of the entry': beside(`import x from 'plugin'; console.log(x);`),
    'an export from a file': `export { default } from '${secret}';`,
    'a star from a file': beside(`export * from '${secret}';`),
    'a dynamic import of a file': beside(`export const x = import('${secret}');`),
    'a require of a file': beside(`export const x = require('${secret}');`),
    'a resolve of a file': beside(`export const x = require.resolve('${secret}');`),
    'an address of import.meta': beside(`export const x = new URL('${secret}', import.meta.url);`),
    'a source map': beside(`//# sourceMappingURL=file://${secret}`),
    'a name of the source': beside(`//# sourceURL=${secret}`),
    'a comment for the bundler': beside(`/* @jsx require */ /// <reference path="${secret}" />`),
    'a stage of import': beside(`import source x from '${secret}'; console.log(x);`),
    'an import that is deferred': beside(`import defer * as x from '${secret}'; console.log(x);`),
    'a glob': beside(`const n = 'secret'; export const x = import(\`${folder}/\${n}.js\`);`),
    'no default': 'export const a = 1;',
    'CommonJS': 'module.exports = require("fs");',
    'a file that is not JavaScript': '<?php echo 1;',
  },
  wins: async (source: string) =>
    (await packer.toScript(source).catch(() => '')).includes('canary-of-the-disk'),
}; // oxfmt-ignore
