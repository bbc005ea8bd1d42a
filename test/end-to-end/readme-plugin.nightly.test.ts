/** The plugin that the README shows is one: taken, granted and running as it says there. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, until } from '../support/servers/server.ts';

const readme = await readFile(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** The first block of this language behind the heading. */
function block(language: string): string {
  const chapter = readme.split('## Write a plugin in 20 lines')[1] ?? '';
  return chapter.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
}

const manifest = block('json');
const source = block('js');

/** What the README's curl grants. */
const grant: unknown = JSON.parse(/-d '([^']+)'/.exec(block('sh'))?.[1] ?? 'null');

test("the README's plugin has 20 lines and a manifest that is taken", () => {
  expect(source.trim().split('\n').length).toBeLessThanOrEqual(20);
  expect(createManifestReader().parseText(manifest)).toMatchObject({ ok: true });
});

test("the README's plugin logs each new film and shows the last, once it is granted", async () => {
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  const tree = await createMediaTree(['Night Train (1959).mkv']);
  onTestFinished(async () => {
    await tree.remove();
    await rm(data, { recursive: true });
  });
  const folder = path.join(data, 'plugins/greeter');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'manifest.json'), manifest);
  await writeFile(path.join(folder, 'index.js'), source);
  const server = await startServer({ data });
  onTestFinished(async () => {
    await server.stop();
  });

  const granted = await server.request('PUT', '/api/plugins/greeter/permissions', grant);
  await server.request('POST', '/api/libraries', {
    name: 'Films',
    type: 'movies',
    roots: [tree.path],
  });
  await server.request('POST', '/api/jobs', { type: 'scan' });
  await jobsOver(server);

  expect(granted.status).toBe(200);
  const view = () => server.get('/api/plugins/views/ui.settings.sections?context=%7B%7D');
  await until('it has heard', async () => JSON.stringify(await view()).includes('Night Train'));
  expect(await view()).toEqual([
    {
      type: 'metadata',
      pluginId: 'greeter',
      slot: 'settings-panes',
      id: 'greeter',
      title: 'Greeter',
      layout: 'key-value',
      fields: [{ key: 'Last added', value: 'Night Train' }],
    },
  ]);
  const { lines } = await server.get<{ lines: object[] }>('/api/plugins/greeter/logs');
  expect(lines).toContainEqual(expect.objectContaining({ text: 'new: Night Train' }));
});
