/**
 * A `.vplugin` file: made from the files of a plugin, and opened only as a whole. The result of
 * {@link openArchive} has passed every check that needs no server. Nothing is written to the disk
 * before.
 */
import { createHash } from 'node:crypto';
import type { Manifest } from '../../../plugin-api/index.ts';
import type { Locales } from '../locales/index.ts';
import type { ManifestReader } from '../manifest/manifest.ts';
import type { Signer } from './signature.ts';
import { open, seal } from './envelope.ts';
import { localesOf } from './locale-files.ts';
import { readSignature, signatureFile, signatureOf } from './package-signature.ts';
import { packageFault, readTar, writeTar, type PackageFiles } from './tar.ts';

/** Why a package was refused, as a marketplace error code. */
export type PackageFault =
  | 'SHA256_MISMATCH'
  | 'INVALID_PACKAGE'
  | 'SIGNATURE_INVALID'
  | 'PUBLISHER_CHANGED'
  | 'INVALID_MANIFEST';

/** A checked package. */
export interface OpenedArchive {
  readonly manifest: Manifest;
  readonly locales: Locales;
  readonly publisherKey: string;
  /** With `signature.json`. */
  readonly files: PackageFiles;
  /** Of the whole archive, in hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The whole archive. */
  readonly bytes: Uint8Array;
}

/** The package, or why it was refused. */
export type Opening =
  | { readonly ok: true; readonly archive: OpenedArchive }
  | { readonly ok: false; readonly code: PackageFault; readonly message: string };

/** What the caller knows about the package. */
export interface OpenOptions {
  readonly reader: ManifestReader;
  /** The digest that the index promised. */
  readonly sha256?: string;
  /** Why the publisher's key is not the right one for the plugin, or `null`. */
  readonly keyFault?: (id: string, publisherKey: string) => Promise<string | null> | string | null;
}

/**
 * Packs and signs the files, which must not hold a signature. Throws a RangeError that names the
 * fault.
 */
export function makeArchive(
  files: PackageFiles,
  { manifest, signer }: { readonly manifest: Manifest; readonly signer: Signer },
): Uint8Array {
  const own = new Map([...files].filter(([path]) => path !== signatureFile));
  const signature = signatureOf(own, manifest, signer);
  return packed(new Map([...own, [signatureFile, Buffer.from(signature)]]));
}

/** Packs the files unchanged. */
export function packed(files: PackageFiles): Uint8Array {
  const fault = packageFault(files);
  if (fault !== null) throw new RangeError(`The package ${fault}.`);
  return seal(writeTar(files));
}

/** The files of an archive. Only its form is checked, not its signature. */
export async function filesOf(
  bytes: Uint8Array,
): Promise<
  | { readonly ok: true; readonly files: PackageFiles }
  | { readonly ok: false; readonly fault: string }
> {
  const opened = await open(bytes);
  return opened.ok ? readTar(opened.content) : opened;
}

/** Checks a package in the order digest, form, signature, publisher, manifest. Never rejects. */
export async function openArchive(bytes: Uint8Array, options: OpenOptions): Promise<Opening> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (options.sha256 !== undefined && options.sha256 !== sha256) {
    const message = `The package has the SHA-256 ${sha256}; expected was ${options.sha256}.`;
    return refused('SHA256_MISMATCH', message);
  }
  const read = await filesOf(bytes);
  if (!read.ok) return refused('INVALID_PACKAGE', `The package ${read.fault}.`);
  const { files } = read;
  const signature = await readSignature(files);
  if (!signature.ok) return refused('SIGNATURE_INVALID', signature.fault);
  const { id, version, publisherKey } = signature.claims;
  const wrongKey = (await options.keyFault?.(id, publisherKey)) ?? null;
  if (wrongKey !== null) return refused('PUBLISHER_CHANGED', wrongKey);
  const manifest = manifestIn(files, options.reader);
  if (!manifest.ok) return refused('INVALID_MANIFEST', manifest.fault);
  if (manifest.value.id !== id || manifest.value.version !== version) {
    const message = `manifest.json is of ${manifest.value.id} ${manifest.value.version}, and signature.json of another.`;
    return refused('INVALID_MANIFEST', message);
  }
  const archive = {
    manifest: manifest.value,
    locales: manifest.locales,
    publisherKey,
    files,
    sha256,
    sizeBytes: bytes.length,
    bytes,
  };
  return { ok: true, archive };
}

const refused = (code: PackageFault, message: string): Opening => ({ ok: false, code, message });

/** The manifest and the languages, if they are valid and the files that it names exist. */
export function manifestIn(
  files: PackageFiles,
  reader: ManifestReader,
):
  | { readonly ok: true; readonly value: Manifest; readonly locales: Locales }
  | { readonly ok: false; readonly fault: string } {
  const bytes = files.get('manifest.json');
  if (bytes === undefined) return { ok: false, fault: 'The package has no manifest.json.' };
  const text = textOf(bytes);
  if (text === null) return { ok: false, fault: 'manifest.json is not UTF-8.' };
  const parsed = reader.parseText(text);
  if (!parsed.ok) return { ok: false, fault: parsed.faults.join(' ') };
  const wrong = mainFaults(files, parsed.value);
  const locales = localesOf(files, parsed.value, reader);
  if (!locales.ok) return { ok: false, fault: [...wrong, ...locales.faults].join(' ') };
  if (wrong.length > 0) return { ok: false, fault: wrong.join(' ') };
  return { ok: true, value: parsed.value, locales: locales.value };
}

function mainFaults(files: PackageFiles, { main }: Manifest): readonly string[] {
  const source = files.get(main);
  if (source === undefined) return [`main: ${main} is not in the package.`];
  return textOf(source) === null ? [`main: ${main} is not UTF-8.`] : [];
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
