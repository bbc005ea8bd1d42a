/**
 * Clients that strangers generate: for each generator, types and calls are made from the API document
 * of a running server, compiled in strict mode, and walk the way of the README. It installs the
 * generators from the registry into a folder of its own, without their scripts.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createMediaTree } from '../support/media/media-tree.ts';
import { startServer } from '../support/servers/server.ts';
import type { Figure } from './figure.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const compiler = path.join(root, 'node_modules/typescript-native/bin/tsc');

interface Generator {
  readonly name: string;
  readonly packages: readonly string[];
  /** Makes `client.ts` from `openapi.json` in the folder. */
  readonly generate: (folder: string, url: string) => Promise<unknown>;
  /** The way of the README, as a program. */
  readonly journey: string;
}

/** What both programs begin with and end with. */
const frame = (walk: string): string => `
const [url = '', token = '', media = ''] = process.argv.slice(2);
const sleep = (): Promise<void> => new Promise((done) => setTimeout(done, 50));
function ensure<Value>(value: Value | null | undefined | false, what: string): Value {
  if (value === null || value === undefined || value === false) throw new Error(what);
  return value;
}
${walk}
ensure(title === 'Night Train', \`The item is called \${title}.\`);
ensure(streamed === 206, \`The stream answered \${streamed}.\`);
ensure(position === 70, \`The position is \${position}.\`);
console.log('done');
`;

const setup = `{ token, name: 'Anna', password: 'at least ten characters' }`;
const library = `{ name: 'Films', type: 'movies', roots: [media] }`;
const report = `{ position: 70, duration: 700 }`;

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    generate: (folder) =>
      run(
        process.execPath,
        [
          path.join(folder, 'node_modules/openapi-typescript/bin/cli.js'),
          ...['openapi.json', '--output', 'client.ts', '--default-non-nullable', 'false'],
        ],
        { cwd: folder },
      ),
    journey: `import createClient from 'openapi-fetch';
import type { paths } from './client.ts';
${frame(`
const open = createClient<paths>({ baseUrl: url });
const { data: entry } = await open.POST('/api/setup', { body: ${setup} });
const authorization = \`Bearer \${ensure(entry, 'no setup').sessionToken}\`;
const api = createClient<paths>({ baseUrl: url, headers: { authorization } });
const { data: made } = await api.POST('/api/libraries', { body: ${library} });
const { library, jobId } = ensure(made, 'no library');
for (;;) {
  const { data } = await api.GET('/api/jobs/{id}', { params: { path: { id: ensure(jobId, 'no scan') } } });
  if (data?.job.status === 'completed') break;
  await sleep();
}
const query = { libraryId: library.id, limit: 10 };
const { data: list } = await api.GET('/api/items', { params: { query } });
const item = ensure(list?.items.find((one) => 'files' in one), 'no item');
const title: string = item.title;
const stream = await api.GET('/api/files/{id}/stream', {
  params: { path: { id: ensure(item.files[0], 'no file').id } },
  headers: { range: 'bytes=0-3' },
  parseAs: 'blob',
});
const streamed: number = stream.response.status;
const params = { path: { id: item.id } };
await api.PUT('/api/items/{id}/playback', { params, body: ${report} });
const { data: played } = await api.GET('/api/items/{id}/playback', { params });
const position = played?.playback.position;
`)}`,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0'],
    generate: async (folder, url) => {
      const output = { target: './client.ts', client: 'fetch', baseUrl: url };
      const config = { vitrine: { input: './openapi.json', output } };
      await writeFile(
        path.join(folder, 'orval.config.mjs'),
        `export default ${JSON.stringify(config)};`,
      );
      const bin = path.join(folder, 'node_modules/.bin/orval');
      await run(bin, ['--config', './orval.config.mjs'], { cwd: folder });
    },
    journey: `import {
  createLibrary, getJob, getPlayback, listItems, setPlayback, setUpServer, streamFile,
} from './client.ts';
${frame(`
void url;
const entry = await setUpServer(${setup});
const { sessionToken } = ensure(entry.status === 201 && entry.data, 'no setup');
const headers = { authorization: \`Bearer \${sessionToken}\` };
const made = await createLibrary(${library}, { headers });
const { library, jobId } = ensure(made.status === 201 && made.data, 'no library');
for (;;) {
  const reply = await getJob(ensure(jobId, 'no scan'), { headers });
  if (reply.status === 200 && reply.data.job.status === 'completed') break;
  await sleep();
}
const list = await listItems({ libraryId: library.id, limit: 10 }, { headers });
const items = list.status === 200 ? list.data.items : [];
const item = ensure(items.find((one) => 'files' in one), 'no item');
const title: string = item.title;
const file = ensure(item.files[0], 'no file');
const stream = await streamFile(file.id, {}, { headers: { ...headers, range: 'bytes=0-3' } });
const streamed: number = stream.status;
await setPlayback(item.id, ${report}, {}, { headers });
const played = await getPlayback(item.id, {}, { headers });
const position = played.status === 200 ? played.data.playback.position : null;
`)}`,
  },
];

/** Seconds from the document to a compiled client, for each generator. It fails if one does not work. */
export async function benchClients(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const generator of generators) {
    const seconds = await tryGenerator(generator);
    const name = `${generator.name}: a strict client that works`;
    figures.push({ name, ours: seconds, bare: null, unit: 's', goal: 30 });
  }
  return figures;
}

async function tryGenerator({ packages, generate, journey }: Generator): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-clients-'));
  const tree = await createMediaTree(['Night Train (2001)/Night Train (2001).mkv']);
  const server = await startServer({ env: { VITRINE_ADMIN_TOKEN: '' } });
  try {
    await writeFile(path.join(folder, 'package.json'), '{"type":"module","private":true}');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', ...packages], { cwd: folder });
    const document = await (await fetch(`${server.url}/api/openapi.json`)).text();
    await writeFile(path.join(folder, 'openapi.json'), document);
    await writeFile(path.join(folder, 'journey.ts'), journey);
    const start = performance.now();
    await generate(folder, server.url);
    await compile(folder);
    const seconds = (performance.now() - start) / 1000;
    const token = /\/setup#token=(\S+)/.exec(server.output())?.[1] ?? '';
    await run(process.execPath, ['journey.ts', server.url, token, tree.path], { cwd: folder });
    return seconds;
  } finally {
    await server.stop();
    await tree.remove();
    await rm(folder, { recursive: true });
  }
}

async function compile(folder: string): Promise<void> {
  const types = path.join(root, 'node_modules/@types');
  const options =
    '--noEmit --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable';
  await run(
    process.execPath,
    [
      ...[compiler, ...options.split(' '), '--allowImportingTsExtensions', '--skipLibCheck'],
      ...['--typeRoots', types, '--types', 'node', 'journey.ts'],
    ],
    { cwd: folder },
  ).catch((error: unknown) => {
    throw new Error(`It does not compile: ${(error as { stdout: string }).stdout}`);
  });
}
