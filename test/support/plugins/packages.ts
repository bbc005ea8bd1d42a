/** Packages and publishers, as tests make them. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { createManifestReader } from '../../../kernel/run/manifest/index.ts';
import { makeArchive } from '../../../kernel/run/packages/index.ts';
import type { Manifest } from '../../../plugin-api/index.ts';
import type { Signer } from '../../../kernel/run/packages/signature.ts';

/** A publisher with a fresh key. */
export function createPublisher(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: raw.toString('hex'), sign: (bytes) => sign(null, bytes, privateKey) };
}

/** A manifest with what every manifest must have. */
export const manifestOf = (fields: Readonly<Record<string, unknown>>): object => ({
  manifestVersion: 1,
  name: fields['id'],
  version: '1.0.0',
  description: 'Written by a test.',
  author: 'A test',
  license: 'MIT',
  main: 'index.js',
  minVersion: '>=0.1.0',
  capabilities: [],
  mediaTypes: [],
  permissions: {},
  ...fields,
});

/** Files by path, from texts. */
export const filesOfTexts = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)] as const));

/** The same, read as a server reads it. */
export function manifestIn(fields: Readonly<Record<string, unknown>>): Manifest {
  const parsed = createManifestReader().parse(manifestOf(fields));
  if (!parsed.ok) throw new Error(parsed.faults.join(' '));
  return parsed.value;
}

/** A signed package. */
export function createPackage(
  fields: Readonly<Record<string, unknown>> & { readonly id: string },
  {
    signer,
    source = 'export default {};',
    files = {},
  }: {
    readonly signer: Signer;
    readonly source?: string;
    readonly files?: Readonly<Record<string, string>>;
  },
): Uint8Array {
  const text = JSON.stringify(manifestOf(fields));
  const manifest = manifestIn(fields);
  const all = filesOfTexts({ 'manifest.json': text, 'index.js': source, ...files });
  return makeArchive(all, { manifest, signer });
}
