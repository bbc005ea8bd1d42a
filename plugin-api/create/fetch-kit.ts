/** Puts the packages for authors into a new plugin, so that it installs without a registry of them. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateError } from './create-error.ts';

/** The folder of the packages in a plugin. A name with a dot is not packed. */
export const kitFolder = '.vitrine';

/** A package of the kit. */
export interface KitPackage {
  readonly name: string;
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** What a plugin is given. */
export interface Kit {
  readonly packages: readonly KitPackage[];
  /** Entries of its lock file, by place; `null` where the kit has none. */
  readonly locked: Readonly<Record<string, object>> | null;
}

/** The packages that a plugin installs. */
const wanted = ['@vitrine/plugin-api', 'vitrine'];

/**
 * Reads them from a folder or a server; throws a {@link CreateError} that says what is wrong. A file
 * that is not as `index.json` says is refused.
 */
export async function fetchKit(kit: string): Promise<Kit> {
  const index = parseIndex(await read(kit, 'index.json'), kit);
  const packages = await Promise.all(
    wanted.map(async (name) => {
      const listed = index.packages.find((one) => one.name === name);
      if (listed === undefined) throw new CreateError(`--kit ${kit}: it has no package ${name}.`);
      return { name, file: listed.file, bytes: await readListed(kit, listed) };
    }),
  );
  const locked =
    index.lock === undefined ? null : parseLock(await readListed(kit, index.lock), kit);
  return { packages, locked };
}

/**
 * Writes the packages into the folder, names them in its `package.json`, and writes the lock file,
 * so that npm installs the versions that the kit was tested with.
 */
export async function addKit(folder: string, { packages, locked }: Kit): Promise<void> {
  await mkdir(path.join(folder, kitFolder), { recursive: true });
  for (const { file, bytes } of packages)
    await writeFile(path.join(folder, kitFolder, file), bytes);
  const manifest = path.join(folder, 'package.json');
  const own = JSON.parse(await readFile(manifest, 'utf8')) as OwnPackage;
  const places = packages.map(({ name, file }) => [name, `file:${kitFolder}/${file}`] as const);
  const devDependencies = { ...own.devDependencies, ...Object.fromEntries(places) };
  await writeJson(manifest, { ...own, devDependencies });
  if (locked === null) return;
  const { name, version, license } = own;
  const kitEntries = places.map(([one, resolved]) => {
    const place = `node_modules/${one}`;
    return [place, { ...locked[place], resolved }] as const;
  });
  await writeJson(path.join(folder, 'package-lock.json'), {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, devDependencies },
      ...locked,
      ...Object.fromEntries(kitEntries),
    },
  });
}

interface OwnPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const writeJson = (file: string, value: object): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`);

async function readListed(
  kit: string,
  listed: Pick<Listed, 'file' | 'sha256'>,
): Promise<Uint8Array> {
  const bytes = await read(kit, listed.file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== listed.sha256)
    throw new CreateError(`--kit ${kit}: ${listed.file} is not what index.json says.`);
  return bytes;
}

async function read(kit: string, name: string): Promise<Uint8Array> {
  try {
    if (!/^https?:/i.test(kit)) return await readFile(path.join(kit, name));
    const reply = await fetch(`${kit}/${name}`, { signal: AbortSignal.timeout(30_000) });
    if (!reply.ok) throw new Error(`the server answered ${reply.status}`);
    return new Uint8Array(await reply.arrayBuffer());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CreateError(`--kit ${kit}: ${name} cannot be read (${why}).`, { cause: error });
  }
}

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly sha256: string;
}

interface Index {
  readonly packages: readonly Listed[];
  readonly lock?: Omit<Listed, 'name'>;
}

function parseIndex(bytes: Uint8Array, kit: string): Index {
  const index = parsed(bytes);
  if (isObject(index) && Array.isArray(index['packages']) && index['packages'].every(isListed)) {
    const { packages, lock } = index;
    if (lock === undefined) return { packages };
    if (isFile(lock) && lock.file.endsWith('.json')) return { packages, lock };
  }
  throw new CreateError(`--kit ${kit}: index.json is not a list of packages.`);
}

function parseLock(bytes: Uint8Array, kit: string): Readonly<Record<string, object>> {
  const lock = parsed(bytes);
  const packages = isObject(lock) ? lock['packages'] : undefined;
  if (isObject(packages) && Object.values(packages).every(isObject))
    return packages as Readonly<Record<string, object>>;
  throw new CreateError(`--kit ${kit}: package-lock.json is not a list of packages.`);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

const isObject = (one: unknown): one is Readonly<Record<string, unknown>> =>
  typeof one === 'object' && one !== null;

const isFile = (one: unknown): one is Omit<Listed, 'name'> =>
  isObject(one) &&
  typeof one['file'] === 'string' &&
  typeof one['sha256'] === 'string' &&
  /^[\w.-]+\.(tgz|json)$/.test(one['file']);

const isListed = (one: unknown): one is Listed =>
  isFile(one) && 'name' in one && typeof one.name === 'string';
