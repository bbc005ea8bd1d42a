/** Packages for npm, the same bytes for the same content. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import type { LockEntry } from './locked-packages.ts';

/** The files of a package by their paths in it. */
export type NpmFiles = ReadonlyMap<string, Uint8Array | string>;

/** A package as `index.json` lists it. */
export interface ListedPackage {
  readonly name: string;
  readonly version: string;
  /** The file beside `index.json`. */
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
  /** As npm writes it into a lock file. */
  readonly integrity: string;
  /** The files in it, by path. */
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
  }[];
}

/** A package with its entry in the index. */
export interface NpmPackage {
  readonly listed: ListedPackage;
  /** Its `package.json`. */
  readonly manifest: LockEntry;
  readonly bytes: Uint8Array;
}

/** The time of all files, the one that npm itself writes. */
const mtime = new Date('1985-10-26T08:15:00.000Z');

/** Packs the files as `npm pack` does, sorted and without times, owners and folders. */
export async function packNpm(files: NpmFiles): Promise<NpmPackage> {
  const manifest = JSON.parse(String(files.get('package.json'))) as LockEntry & {
    readonly name: string;
    readonly version: string;
  };
  const { name, version } = manifest;
  const sorted = [...files]
    .map(([path, content]) => ({ path, content: Buffer.from(content) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const tar = await packTar(
    sorted.map(({ path, content }) => ({
      header: { name: `package/${path}`, size: content.length, mode: 0o644, mtime },
      body: content,
    })),
  );
  const bytes = gzipSync(tar, { level: 9 });
  const listed: ListedPackage = {
    name,
    version,
    file: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
    size: bytes.length,
    sha256: sha256(bytes),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    files: sorted.map(({ path, content }) => ({
      path,
      size: content.length,
      sha256: sha256(content),
    })),
  };
  return { listed, manifest, bytes };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
