/** Writes the reference of plugin-api into `dist/plugin-api-reference` (`npm run vitrine -- task docs`). */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apiReference } from './api-reference.ts';

const folder = path.resolve(import.meta.dirname, '../../../dist/plugin-api-reference');

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, text] of await apiReference()) await writeFile(path.join(folder, name), text);
console.log(`The reference of plugin-api is in ${path.relative(process.cwd(), folder)}.`);
