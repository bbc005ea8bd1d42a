/** `vitrine license`: issue license keys, and read them. */
import type { Command } from 'commander';
import { createPrivateKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../src/platform/config.ts';
import { openDataFolder } from '../../../src/platform/data-folder/index.ts';
import {
  issueLicenseKey,
  issuerOf,
  maskedKey,
  readLicenseKey,
  verifyLicenseKey,
} from '../../../src/operations/license/index.ts';
import { startLicenseAuthority } from '../license-authority/index.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createSecretFile, readSecretFile } from '../../../src/platform/secrets/index.ts';
import { untilStopped } from '../../../src/platform/until-stopped.ts';

export interface LicenseCommandParts {
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Ask = (run: () => Promise<number>) => void;

const daySeconds = 86_400;

/** Adds the commands; `ask` receives the task that was asked for. */
export function addLicenseCommands(program: Command, parts: LicenseCommandParts, ask: Ask): void {
  const license = program
    .command('license')
    .description('issue license keys, count their use, and read them')
    .exitOverride();

  license
    .command('keygen')
    .description('create the key pair of an issuer, and print the public key for --license-issuer')
    .requiredOption('--out <file>', 'file for the private key; it must not exist yet')
    .exitOverride()
    .action(({ out }: Flags) => ask(async () => keygen(required(out), parts)));

  license
    .command('issue')
    .description('sign a license key and print it')
    .requiredOption('--key <file>', 'the private key that keygen made')
    .requiredOption('--tier <name>', 'name of the product, such as home')
    .option('--id <text>', 'id of the license, by which seats are counted (a new one)')
    .option('--seats <number>', 'servers that may use it at the same time (1)')
    .option(
      '--limit <kind=number>',
      'the most users, libraries or profiles; may be repeated',
      gather,
    )
    .option('--days <number>', 'days until it expires (365)')
    .option(
      '--expires <date>',
      'instead of --days: the date on which it expires, such as 2027-12-31, or with a time',
    )
    .exitOverride()
    .action((flags: Flags & { readonly limit?: readonly string[] }) =>
      ask(async () => issue(flags, parts)),
    );

  license
    .command('inspect')
    .description('print the claims of a license key; exit code 1 = it is not valid')
    .argument('<key>', 'the license key, or - to read it from standard input')
    .option('--issuer <hex>', 'check the signature with this public key')
    .exitOverride()
    .action((key: string, { issuer }: Flags) => ask(async () => inspect(key, issuer, parts)));

  license
    .command('authority')
    .description('run the service that counts the servers that use a license')
    .requiredOption('--issuer <hex>', 'public key of the issuer, 64 hex digits')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any (8362)')
    .option('--data <folder>', 'folder of its database (./license-authority)')
    .option('--rate <number>', 'requests that one address may send in a minute (60)')
    .exitOverride()
    .action((flags: Flags) => ask(() => authority(flags, parts)));
}

type Flags = Readonly<
  Partial<
    Record<
      | 'out'
      | 'key'
      | 'tier'
      | 'id'
      | 'seats'
      | 'days'
      | 'expires'
      | 'issuer'
      | 'host'
      | 'port'
      | 'data'
      | 'rate',
      string
    >
  >
>;

function keygen(out: string, { cwd, write }: LicenseCommandParts): number {
  const file = path.resolve(cwd, out);
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  if (!createSecretFile(file, pem)) {
    throw new ConfigError(
      `--out ${out}: the file exists already; a private key is never overwritten.`,
    );
  }
  write(`The private key is in ${file}. Keep it safe: anyone who has it can issue licenses.\n`);
  write(`Public key, for --license-issuer: ${issuerOf(privateKey)}\n`);
  return 0;
}

function issue(
  flags: Flags & { readonly limit?: readonly string[] },
  { cwd, write }: LicenseCommandParts,
): number {
  const privateKey = readPrivateKey(path.resolve(cwd, required(flags.key)));
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    id: flags.id ?? randomUUID(),
    tier: required(flags.tier),
    limits: Object.fromEntries((flags.limit ?? []).map(limitOf)),
    seats: whole('seats', flags.seats ?? '1', 1, 1_000_000),
    iat,
    exp: expiryOf(flags, iat),
  };
  try {
    write(`${issueLicenseKey(claims, privateKey)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new ConfigError(
      '--id and --tier: 1 to 100 characters without control characters, with no space at either end.',
    );
  }
}

function inspect(
  given: string,
  issuer: string | undefined,
  { write, complain }: LicenseCommandParts,
): number {
  const key = (given === '-' ? readFileSync(0, 'utf8') : given).trim();
  const read = readLicenseKey(key);
  if (read === null) {
    complain('vitrine: this is not a license key: a key has the form VIT1.<claims>.<signature>.\n');
    return 1;
  }
  const { id, tier, limits, seats, iat, exp } = read.claims;
  const limitTexts = Object.entries(limits).map(([kind, most]) => `${kind} ${most}`);
  const isOver = Date.now() >= exp * 1000;
  const verdict = issuer === undefined ? null : verifyLicenseKey(key, issuerKey(issuer));
  const lines = [
    ['key', maskedKey(key)],
    ['id', id],
    ['tier', tier],
    ['limits', limitTexts.join(', ') || 'none'],
    ['seats', String(seats)],
    ['issued', dateOf(iat)],
    ['expires', `${dateOf(exp)}${isOver ? ' (expired)' : ''}`],
    ['signature', verdict === null ? 'not checked; give --issuer' : verdict.ok ? 'good' : 'bad'],
  ];
  for (const [name = '', text = ''] of lines) write(`${name.padEnd(10)} ${text}\n`);
  return verdict?.ok === false || isOver ? 1 : 0;
}

async function authority(flags: Flags, { cwd, write }: LicenseCommandParts): Promise<number> {
  const data = await openDataFolder(path.resolve(cwd, flags.data ?? 'license-authority'));
  const ended = Promise.race([untilStopped(), data.lost]);
  try {
    const service = await startLicenseAuthority({
      host: flags.host ?? '127.0.0.1',
      port: whole('port', flags.port ?? '8362', 0, 65_535),
      data: data.path,
      issuer: issuerKey(required(flags.issuer)),
      rate: whole('rate', flags.rate ?? '60', 1, 1_000_000),
      now: Date.now,
      log: createLog({ level: 'info', format: 'text', write }),
    });
    write(`Vitrine license authority listening on ${service.url}\n`);
    await ended;
    await service.stop();
    return 0;
  } finally {
    data.release();
  }
}

function readPrivateKey(file: string): KeyObject {
  const pem = readSecretFile(file);
  if (pem === null)
    throw new ConfigError(`--key ${file}: there is no such file; keygen creates one.`);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below with a message of our own.
  }
  throw new ConfigError(`--key ${file}: it is not a private key made by vitrine license keygen.`);
}

function limitOf(text: string): readonly [string, number] {
  const [, kind, number] = /^(users|libraries|profiles)=(\d{1,9})$/.exec(text) ?? [];
  if (kind !== undefined && number !== undefined) return [kind, Number(number)];
  throw new ConfigError(`--limit ${text}: it must be users=N, libraries=N or profiles=N.`);
}

function expiryOf({ days, expires }: Flags, iat: number): number {
  if (expires === undefined) return iat + whole('days', days ?? '365', 1, 365_000) * daySeconds;
  const exp = Math.floor(Date.parse(expires) / 1000);
  if (days === undefined && exp > iat) return exp;
  const why =
    days === undefined ? 'it must be a date in the future' : 'give either --days or --expires';
  throw new ConfigError(`--expires ${expires}: ${why}.`);
}

function whole(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw new ConfigError(`--${flag} ${text}: it must be a whole number from ${least} to ${most}.`);
}

function issuerKey(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new ConfigError(`--issuer ${text}: it must be an Ed25519 public key, 64 hex digits.`);
}

/** Commander guarantees that the option is present. */
function required(value: string | undefined): string {
  if (value !== undefined) return value;
  throw new Error('A required option is missing.');
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
