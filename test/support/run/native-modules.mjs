/**
 * Node loads the modules of tests by itself, with these additions: connections to SQLite start the built
 * thread, as in `npm start`, since each would take the types out of its source again; the kit for authors
 * has its name; components of pages are compiled; and a module can be loaded again (`load-fresh.ts`).
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../../..');
/** @param {string} file */
const at = (file) => pathToFileURL(path.join(root, file)).href;
const driver = at('kernel/store/sqlite/node-sqlite-driver.ts');
const named = `? './sqlite-thread.ts'`;
const kit = at('packages/app/plugin-kit/plugin-test.ts');

// What a process has compiled, the next one takes.
enableCompileCache(path.join(root, 'node_modules/.cache/vitrine-tests'));

registerHooks({
  resolve(name, context, next) {
    const found = next(name === 'vitrine/plugin-test' ? kit : name, context);
    const [, fresh] = /\?(fresh=\d+)$/.exec(context.parentURL ?? '') ?? [];
    return fresh !== undefined && name.startsWith('.')
      ? { ...found, url: `${found.url}?${fresh}` }
      : found;
  },
  load(url, context, next) {
    const read = () => readFileSync(fileURLToPath(url), 'utf8');
    if (url.endsWith('.tsx')) {
      const options = { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'preact' };
      const { code } = require('esbuild').transformSync(read(), options);
      return { format: 'module', source: code, shortCircuit: true };
    }
    if (url !== driver) return next(url, context);
    const source = read();
    if (!source.includes(named)) throw new Error(`${url} does not name ${named}.`);
    const built = source.replace(named, `? ${JSON.stringify(at('dist/sqlite-thread.mjs'))}`);
    return { format: 'module-typescript', source: built, shortCircuit: true };
  },
});
