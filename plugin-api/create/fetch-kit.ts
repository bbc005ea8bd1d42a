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

/** The packages that a plugin installs. */
const wanted = ['@vitrine/plugin-api', 'vitrine'];

/**
 * Reads them from a folder or a server; throws a {@link CreateError} that says what is wrong. A file
 * that is not as `index.json` says is refused.
 */
export async function fetchKit(kit: string): Promise<readonly KitPackage[]> {
  const index = parseIndex(await read(kit, 'index.json'), kit);
  return Promise.all(
    wanted.map(async (name) => {
      const listed = index.find((one) => one.name === name);
      if (listed === undefined) throw new CreateError(`--kit ${kit}: it has no package ${name}.`);
      const bytes = await read(kit, listed.file);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (sha256 !== listed.sha256)
        throw new CreateError(`--kit ${kit}: ${listed.file} is not what index.json says.`);
      return { name, file: listed.file, bytes };
    }),
  );
}

/** Writes the packages into the folder, and names them in its `package.json`. */
export async function addKit(folder: string, packages: readonly KitPackage[]): Promise<void> {
  await mkdir(path.join(folder, kitFolder), { recursive: true });
  for (const { file, bytes } of packages)
    await writeFile(path.join(folder, kitFolder, file), bytes);
  const manifest = path.join(folder, 'package.json');
  const own = JSON.parse(await readFile(manifest, 'utf8')) as {
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const named = packages.map(({ name, file }) => [name, `file:${kitFolder}/${file}`] as const);
  const devDependencies = { ...own.devDependencies, ...Object.fromEntries(named) };
  await writeFile(manifest, `${JSON.stringify({ ...own, devDependencies }, null, 2)}\n`);
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

function parseIndex(bytes: Uint8Array, kit: string): readonly Listed[] {
  try {
    const { packages } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
      readonly packages: unknown;
    };
    if (Array.isArray(packages) && packages.every(isListed)) return packages;
  } catch {
    // Refused below.
  }
  throw new CreateError(`--kit ${kit}: index.json is not a list of packages.`);
}

const isListed = (one: unknown): one is Listed =>
  typeof one === 'object' &&
  one !== null &&
  ['name', 'file', 'sha256'].every(
    (key) => typeof (one as Record<string, unknown>)[key] === 'string',
  ) &&
  /^[\w.-]+\.tgz$/.test((one as Listed).file);
