/**
 * `vitrine plugin dev --server`: builds the plugin in an author's folder at each save, and puts it
 * among the local plugins of a server on the same machine. No code is sent over the network: anyone
 * who may write into the data folder of a server already decides what runs there.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PackageFiles } from '../../../../kernel/run/packages/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { ConfigError } from '../../../../src/platform/config.ts';
import type * as kit from '../../plugin-kit/index.ts';
import { checkPlugin, packageFolderName, sourceFilesOf } from './plugin-packages.ts';
import { listIn, ServerRefusal, textIn, type Fields, type ServerClient } from '../server-client.ts';

/** The inputs of the command. */
export interface DevServerParts {
  /** The folder of the plugin's sources. */
  readonly folder: string;
  /** The data folder of the server. */
  readonly data: string;
  readonly client: ServerClient;
  readonly printer: ReturnType<typeof kit.createPrinter>;
  readonly createFileWatch: typeof kit.createFileWatch;
  /** Build once, then exit. */
  readonly isOnce: boolean;
  /** Stops the command. */
  readonly signal: AbortSignal;
}

const logEveryMs = 500;

/** Runs until it is stopped; the exit code is meaningful only with `isOnce`. */
export async function runDevOnServer(parts: DevServerParts): Promise<number> {
  const { printer, data, signal, isOnce } = parts;
  if (!existsSync(path.join(data, 'server.key')))
    throw new ConfigError(`--data ${data}: this is not the data folder of a Vitrine server.`);
  const tail = createLogTail(parts);
  const put = () => putOnServer(parts).catch((error: unknown) => reportError(error, printer));
  const first = await put();
  if (isOnce) {
    if (first !== null) await tail(first.id);
    return first?.runs === true ? 0 : 1;
  }
  let id = first?.id ?? null;
  let working = Promise.resolve();
  const watching = parts.createFileWatch(() => {
    working = working.then(async () => {
      id = (await put())?.id ?? id;
      watching.follow(await sourceFilesOf(parts.folder));
    });
  });
  watching.follow(await sourceFilesOf(parts.folder));
  printer.note('Waiting for changes; the plugin’s log follows.');
  while (!signal.aborted) {
    if (id !== null) await tail(id).catch((error: unknown) => reportError(error, printer));
    await rest(signal);
  }
  watching.close();
  await working;
  return 0;
}

interface Put {
  readonly id: string;
  readonly runs: boolean;
}

/** Rejects with the reason if it cannot; the server then keeps the version that it has. */
async function putOnServer({ folder, data, client, printer }: DevServerParts): Promise<Put> {
  const { files, manifest } = await checkPlugin(folder);
  const at = path.join(data, 'plugins', packageFolderName(manifest));
  await lay(at, files, manifest);
  const reply = await client.send('POST', '/api/plugins/rescan');
  const { id } = manifest;
  const held = listIn(reply, 'skipped').find((one) => one['key'] === path.basename(at));
  if (held) {
    printer.failure(`${textIn(held, 'message')} (${textIn(held, 'reason')})`);
    return { id, runs: false };
  }
  return { id, runs: tellState(await known(client, id, data), printer) };
}

function tellState(plugin: Fields, printer: DevServerParts['printer']): boolean {
  const [id, version, state] = ['id', 'version', 'state'].map((key) => textIn(plugin, key));
  const why = textIn(plugin, 'errorMessage');
  const runs = state === 'running';
  if (runs) printer.note(`${id} ${version} runs on the server.`);
  else printer.failure(`${id} ${version} is ${state}. ${why}`.trim());
  return runs;
}

async function known(client: ServerClient, id: string, data: string): Promise<Fields> {
  const reply = await client.get('/api/plugins');
  const plugin = listIn(reply, 'plugins').find((one) => one['id'] === id);
  if (plugin?.['type'] === 'local') return plugin;
  throw new ConfigError(`The server did not find ${id}: --data ${data} is not its data folder.`);
}

/** Atomic: the server sees either the old files of the plugin or the new ones. */
async function lay(at: string, files: PackageFiles, { id }: Manifest): Promise<void> {
  const holder = await idIn(at);
  if (holder !== null && holder !== id)
    throw new ConfigError(`${at} holds the plugin ${holder}; move it away first.`);
  const [made, old] = ['new', 'old'].map((end) =>
    path.join(path.dirname(at), `.${path.basename(at)}.${end}`),
  ) as [string, string];
  for (const one of [made, old]) await rm(one, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    const file = path.join(made, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  if (existsSync(at)) await rename(at, old);
  await rename(made, at);
  await rm(old, { recursive: true, force: true });
}

async function idIn(at: string): Promise<string | null> {
  if (!existsSync(at)) return null;
  const text = await readFile(path.join(at, 'manifest.json'), 'utf8').catch(() => '{}');
  try {
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** Prints the log lines since the last call. */
function createLogTail({ client, printer }: DevServerParts): (id: string) => Promise<void> {
  let last = '';
  return async (id) => {
    const reply = await client.get(`/api/plugins/${encodeURIComponent(id)}/logs`);
    const lines = listIn(reply, 'lines');
    const texts = lines.map((line) => `${textIn(line, 'time')} ${textIn(line, 'text')}`);
    const fresh = lines.slice(texts.lastIndexOf(last) + 1);
    last = texts.at(-1) ?? last;
    for (const line of fresh) printer.line(textIn(line, 'level'), textIn(line, 'text'));
  };
}

const rest = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, logEveryMs);
    signal.addEventListener('abort', end);
  });

/** Prints an error that the author can fix, and waits for the next save. */
function reportError(error: unknown, printer: DevServerParts['printer']): null {
  const isMistake =
    error instanceof ConfigError ||
    error instanceof ServerRefusal ||
    (error instanceof Error && (error.name === 'PluginFault' || 'code' in error));
  if (!isMistake) throw error;
  printer.failure(error.message);
  return null;
}
