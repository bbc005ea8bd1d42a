/**
 * `index.json` of a marketplace source. It is read only when it fits its schema and the source's key
 * signed it, so a mirror or another server in between can withhold it but not change it.
 */
import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import semver from 'semver';
import { marketplaceIndexSchema, permissionsSchema } from '../../../manifests-schema/index.ts';
import { jsonTextFault, jsonValueFault } from '../../json-limits.ts';
import { isStrictVersion, serverRange } from '../manifest/manifest-rules.ts';
import { schemaFaults } from '../manifest/schema-faults.ts';
import { canonicalText, isSigned, isUsableKey, signed, type Signer } from './signature.ts';
import { lifetimeFault } from './index-lifetime.ts';
import type { KeyRotation } from './key-rotation.ts';
import type { VersionFacts } from './version-facts.ts';

/** One version of a plugin. */
export interface IndexVersion extends VersionFacts {
  readonly version: string;
  /** Absolute, or relative to the index. */
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
  readonly minVersion: string;
  /** `true`, or the reason. */
  readonly revoked?: true | string;
}

/** Name and description of a plugin in one language; what is absent stays as the plugin has it. */
export interface IndexTexts {
  readonly name?: string;
  readonly description?: string;
}

/** A plugin that a source offers. */
export interface IndexPlugin {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly license: string;
  readonly homepage?: string;
  readonly repository?: string;
  /** Plain text from its package. */
  readonly readme?: string;
  /** The list of changes: plain text from its package. */
  readonly changes?: string;
  /** By language, as BCP 47, from the language files of its package. */
  readonly translations?: Readonly<Record<string, IndexTexts>>;
  readonly publisherKey: string;
  readonly versions: readonly IndexVersion[];
}

/** The content of an index. */
export interface MarketplaceIndex {
  readonly name: string;
  /** Made when the index is first published, and never changed. */
  readonly indexId: string;
  /** Raised with every change. */
  readonly sequence: number;
  readonly updatedAt: string;
  /** Nothing is installed from the index after this moment. */
  readonly expiresAt: string;
  readonly plugins: readonly IndexPlugin[];
  readonly rotations?: readonly KeyRotation[];
  readonly revokedKeys?: readonly { readonly publisherKey: string; readonly reason: string }[];
  readonly publisherKey: string;
  readonly signature: string;
}

/** The index as it was signed, or why it was refused. */
export type IndexReading =
  | { readonly ok: true; readonly index: MarketplaceIndex }
  | { readonly ok: false; readonly fault: string };

/** Largest `index.json`, in characters. */
export const longestIndex = 4 * 1024 * 1024;
const maxDepth = 12;
const maxValues = 400_000;

/** Parses the text of an index. Never rejects. */
export type ReadIndex = (text: string) => Promise<IndexReading>;

export function createIndexReader(): ReadIndex {
  let check: ValidateFunction | undefined;

  /** Compiled when first needed: few servers read a marketplace at every start. */
  const isIndex = (): ValidateFunction => {
    if (check) return check;
    const ajv = new Ajv2020({
      verbose: true,
      strict: true,
      allowUnionTypes: true,
      validateSchema: false,
      meta: false,
      code: { optimize: false },
    });
    ajv.addSchema(permissionsSchema);
    return (check = ajv.compile(marketplaceIndexSchema));
  };

  return async (text) => {
    const tooMuch = jsonTextFault(text, { maxLength: longestIndex, maxDepth, maxValues });
    if (tooMuch !== null) return refused(`The index ${tooMuch}.`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refused('The index is not JSON.');
    }
    const unsafe = jsonValueFault(value, maxDepth);
    if (unsafe !== null) return refused(`${unsafe}.`);
    if (isWithoutEnd(value))
      return refused(
        'The index has no indexId, sequence or expiresAt: an older version made it. Publish the packages with this version, into a new folder.',
      );
    const validate = isIndex();
    if (!validate(value)) return refused(schemaFaults(validate.errors, 'The index').join(' '));
    const index = value as MarketplaceIndex;
    const fault = ruleFault(index);
    if (fault !== null) return refused(fault);
    const isGenuine =
      isUsableKey(index.publisherKey) && (await isSigned({ ...index }, index.publisherKey));
    return isGenuine
      ? { ok: true, index }
      : refused('The index was not signed with the key that it names.');
  };
}

/** Whether the index has the form of before expiry was added. */
const isWithoutEnd = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'updatedAt' in value &&
  !['indexId', 'sequence', 'expiresAt'].some((key) => key in value);

const refused = (fault: string): IndexReading => ({ ok: false, fault });

/** A digest of what the signature covers: equal for equal content in any spacing. */
export const indexDigest = ({ signature: _signature, ...content }: MarketplaceIndex): string =>
  createHash('sha256').update(canonicalText(content)).digest('hex');

/** Signs an index. Throws a RangeError for an index that servers would refuse. */
export function signIndex(
  index: Omit<MarketplaceIndex, 'publisherKey' | 'signature'>,
  signer: Signer,
): MarketplaceIndex {
  const own = { ...index, publisherKey: signer.publicKey };
  const fault = ruleFault(own);
  if (fault !== null) throw new RangeError(fault);
  return signed(own, signer);
}

function ruleFault(index: Omit<MarketplaceIndex, 'signature'>): string | null {
  return lifetimeFault(index) ?? rotationsFault(index) ?? pluginsFault(index);
}

/** A key is retired once, and signs no index from then on. */
function rotationsFault({
  rotations = [],
  publisherKey,
}: Pick<MarketplaceIndex, 'rotations' | 'publisherKey'>): string | null {
  const left = new Set<string>();
  for (const { from } of rotations) {
    if (left.has(from)) return `rotations: two rotation records replace the key ${from}.`;
    left.add(from);
  }
  return left.has(publisherKey)
    ? `The index is signed with ${publisherKey}, a key that it declares replaced.`
    : null;
}

function pluginsFault({ plugins }: Pick<MarketplaceIndex, 'plugins'>): string | null {
  const ids = new Set<string>();
  for (const { id, versions } of plugins) {
    if (ids.has(id)) return `plugins: ${id} is listed twice.`;
    ids.add(id);
    const seen = new Set<string>();
    for (const { version, minVersion } of versions) {
      if (!isStrictVersion(version))
        return `plugins: ${id} has the version ${version}, which is not a semantic version.`;
      if (seen.has(version)) return `plugins: ${id} has the version ${version} twice.`;
      if (semver.validRange(minVersion) === null)
        return `plugins: ${id} ${version} has the minVersion ${minVersion}, which is not a range.`;
      seen.add(version);
    }
  }
  return null;
}

/** Whether a server of this version may run what has this `minVersion`. */
export const runsOn = (minVersion: string, serverVersion: string): boolean =>
  semver.satisfies(serverVersion, serverRange(minVersion), { includePrerelease: true });

/** Whether the first version is newer. */
export const isNewer = (version: string, than: string): boolean => semver.gt(version, than);

/** Newest first. */
export const byVersion = (one: string, other: string): number => semver.rcompare(one, other);

/** Whether a version is a prerelease, which is installed only by name. */
export const isPrerelease = (version: string): boolean => semver.prerelease(version) !== null;
