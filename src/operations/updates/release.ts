/**
 * A channel file names the newest version. It is a signed object: its location is not trusted, only
 * its signature. The server never installs anything from it.
 */
import {
  isSignedObjectBy,
  longestList,
  openSigned,
  sealSigned,
  type SignedObject,
} from '../../../packages/lib/identity-protocol/index.ts';

/** The newest version of a channel. */
export interface Release {
  readonly channel: string;
  /** Semantic version. */
  readonly version: string;
  /** ISO 8601. */
  readonly releasedAt: string;
  /** `https:` */
  readonly downloadUrl: string;
  /** Release notes as plain text; may be empty. */
  readonly notes: string;
  /** When it was signed, in seconds: an older file never replaces a newer one. */
  readonly iat: number;
}

const kind = 'vitrine-release';
/** As in semver.org, with numbers in a safe range. */
const number = '(?:0|[1-9]\\d{0,14})';
const label = '(?:0|[1-9]\\d{0,14}|\\d{0,20}[A-Za-z-][0-9A-Za-z-]{0,20})';
const version = new RegExp(`^${number}\\.${number}\\.${number}(?:-${label}(?:\\.${label}){0,4})?$`);
const longestNotes = 20_000;

/** Why a channel file is refused. */
export class ReleaseError extends Error {}

/** Parses a channel file, or throws a {@link ReleaseError} with the reason. */
export async function readRelease(
  file: unknown,
  { key, channel }: { readonly key: string; readonly channel: string },
): Promise<Release> {
  const opened = openSigned(file, longestList);
  if (opened === null) throw new ReleaseError('The channel file is not a signed object.');
  if (!(await isSignedObjectBy(key, opened)))
    throw new ReleaseError('The channel file is not signed with the key of --update-key.');
  const { kind: is, v, ...fields } = opened.value;
  if (is !== kind || v !== 1 || !isRelease(fields))
    throw new ReleaseError('The channel file does not have the expected fields.');
  if (fields.channel !== channel)
    throw new ReleaseError(`The channel file is of the channel ${fields.channel}.`);
  return fields;
}

/** Creates a channel file; `sign` returns the Ed25519 signature of the bytes. */
export const signRelease = (
  release: Release,
  sign: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Promise<SignedObject> => sealSigned({ kind, v: 1, ...release }, sign);

function isRelease(fields: object): fields is Release {
  const {
    channel,
    version: text,
    releasedAt,
    downloadUrl,
    notes,
    iat,
  } = fields as Partial<Release>;
  return (
    Object.keys(fields).length === 6 &&
    typeof channel === 'string' &&
    typeof text === 'string' &&
    version.test(text) &&
    typeof releasedAt === 'string' &&
    !Number.isNaN(Date.parse(releasedAt)) &&
    typeof downloadUrl === 'string' &&
    downloadUrl.length <= 2000 &&
    URL.canParse(downloadUrl) &&
    new URL(downloadUrl).protocol === 'https:' &&
    typeof notes === 'string' &&
    notes.length <= longestNotes &&
    Number.isSafeInteger(iat)
  );
}
