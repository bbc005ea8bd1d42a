/**
 * Bundles the page into `dist/`, which any web server can serve.
 *
 *   node build.mjs [--app-id app_…] [--identity-url https://…] [--to folder]
 */
import { build } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    'app-id': { type: 'string', default: 'app_vitrine-example' },
    'identity-url': { type: 'string', default: 'http://localhost:8361' },
    to: { type: 'string', default: path.join(here, 'dist') },
  },
});

await mkdir(values.to, { recursive: true });
for (const name of ['index.html', 'icon.svg'])
  await copyFile(path.join(here, 'page', name), path.join(values.to, name));
await build({
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: ['chrome137', 'firefox130', 'safari17.5'],
  minify: true,
  logLevel: 'warning',
  define: {
    APP_ID: JSON.stringify(values['app-id']),
    IDENTITY_URL: JSON.stringify(values['identity-url']),
  },
  entryPoints: [path.join(here, 'page/main.ts'), path.join(here, 'page/style.css')],
  outdir: values.to,
});
