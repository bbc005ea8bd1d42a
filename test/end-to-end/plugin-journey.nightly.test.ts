/**
 * The way of a plugin, once for each template (two of them by day), by the commands that an author and an admin type: made,
 * tested, checked, packed, signed, published into a folder that a web server serves, installed on a
 * server with consent, upgraded, rolled back and removed.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { templates, type TemplateName } from '../../plugin-api/create/index.ts';
import { parseProgram } from '../../packages/app/cli/program.ts';
import { runBuilt } from '../support/run/built-program.ts';
import { isNightly } from '../support/run/nightly.ts';
import { startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';

const names: readonly TemplateName[] = isNightly
  ? (Object.keys(templates) as TemplateName[])
  : ['view-action'];

let author: string;
let site: HttpSource;
let server: TestServer;
/** Public halves of the keys. */
let publisher: string;
let source: string;

beforeAll(async () => {
  author = await mkdtemp(path.join(tmpdir(), 'vitrine-author-'));
  site = await startHttpSource(async (request, response) => {
    const at = path.join(author, 'site', path.normalize(request.url ?? '/'));
    const bytes = await readFile(at).catch(() => null);
    return bytes === null ? response.writeHead(404).end() : response.writeHead(200).end(bytes);
  });
  server = await startServer({ env: { VITRINE_MARKETPLACE_MINUTES: '0' } });
  publisher = await keygen('publisher.key');
  source = await keygen('source.key');
});

afterAll(async () => {
  await server.stop();
  await site.close();
  await rm(author, { recursive: true });
});

/** Runs a command of `vitrine plugin` in the author's folder; it must end well. */
async function vitrine(args: readonly string[], typed?: string): Promise<string> {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['plugin', ...args],
    env: { ...process.env, VITRINE_TOKEN: adminToken },
    cwd: author,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
    stdin: Object.assign(new PassThrough().end(typed ?? ''), { isTTY: typed !== undefined }),
  });
  const exitCode = asked.command === 'task' ? await asked.run() : 2;
  expect({ command: args.join(' '), exitCode, complaint }).toEqual({
    command: args.join(' '),
    exitCode: 0,
    complaint: '',
  });
  return output;
}

const atServer = (args: readonly string[], typed?: string) =>
  vitrine([...args, '--server', server.url], typed);

async function keygen(file: string): Promise<string> {
  const output = await vitrine(['keygen', '--out', file]);
  return /[0-9a-f]{64}/.exec(output)?.[0] ?? '';
}

/** Packs it, signs it and puts it into the source. */
async function publish(id: string, version: string): Promise<void> {
  const file = `${id}-${version}.vplugin`;
  await vitrine(['pack', id]);
  await vitrine(['sign', file, '--key', 'publisher.key']);
  const verified = await vitrine(['verify', file, '--publisher', publisher]);
  await vitrine(
    ['publish', file, '--index', 'site', '--key', 'source.key'].concat(['--name', 'Mine']),
  );
  expect(verified).toContain(`${id} ${version}\npublisher ${publisher}\n`);
}

async function edit(id: string, change: (text: string) => string): Promise<void> {
  const file = path.join(author, id, 'manifest.json');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

async function pluginAt(id: string): Promise<{ version: string; state: string; type: string }> {
  return (await server.get<{ plugin: never }>(`/api/plugins/${id}`)).plugin;
}

const runs = (id: string, version: string) =>
  until(`${id} ${version} runs`, async () => {
    const plugin = await pluginAt(id);
    return plugin.state === 'running' && plugin.version === version;
  });

describe.each(names)('a plugin of the template %s', { timeout: 120_000 }, (template) => {
  const id = `my-${template}`;

  test('is made, passes its tests, and nothing is to be said of it', async () => {
    await vitrine(['create', id, '--template', template, '--author', 'A test']);
    // As it is built, since its tests run in a process of their own.
    const tested = await runBuilt(['plugin', 'test', id], author);

    expect(tested).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/Test Files +1 passed/),
    });
    const said = await vitrine(['check', id]);
    expect(said.split('\n').filter((line) => line.includes('warning'))).toEqual([
      expect.stringContaining('Types were not checked'),
      expect.stringContaining('README.md is still that of the template'),
    ]);
  });

  test('is published, and offered by a source that a server was told of', async () => {
    await publish(id, '0.1.0');
    if (template === names[0])
      await atServer(['sources', 'add', `${site.url}/index.json`, '--publisher-key', source]);
    else await atServer(['sources', 'refresh']);

    expect(await atServer(['search', id])).toMatch(
      new RegExp(`^${id}\\t0\\.1\\.0\\tMine\\tnot installed\\t`),
    );
  });

  test('is installed with what was agreed to, each power with its reason', async () => {
    const output = await atServer(['install', id], 'y\n');
    await runs(id, '0.1.0');

    const { permissions } = JSON.parse(
      await readFile(path.join(author, id, 'manifest.json'), 'utf8'),
    ) as { permissions: { reasons: Record<string, string> } };
    const { reasons, ...powers } = permissions;
    for (const reason of Object.values(reasons)) expect(output).toContain(`Why: ${reason}`);
    expect(await server.get(`/api/plugins/${id}/permissions`)).toMatchObject({ granted: powers });
    expect(await pluginAt(id)).toMatchObject({ type: 'marketplace' });
  });

  test('is upgraded, rolled back and removed', async () => {
    await edit(id, (text) => text.replace('"version": "0.1.0"', '"version": "0.2.0"'));
    await publish(id, '0.2.0');
    await atServer(['sources', 'refresh']);

    await atServer(['upgrade', id], 'y\n');
    await runs(id, '0.2.0');
    await atServer(['rollback', id]);
    await runs(id, '0.1.0');
    await atServer(['remove', id]);

    expect((await server.request('GET', `/api/plugins/${id}`)).status).toBe(404);
  });
});
