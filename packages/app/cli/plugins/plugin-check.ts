/** `vitrine plugin check`: what a server would refuse in a plugin, and what its users would miss. */
import { packed, readSource, type PackageFiles } from '../../../../kernel/run/packages/index.ts';
import { powersAsked, sentencesOf } from '../../../../kernel/run/powers/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import type { Finding } from '../../plugin-kit/index.ts';
import { ConfigError } from '../../../../src/platform/config.ts';
import { loadKit } from './plugin-kit.ts';
import { authorReader, checkPlugin, mainOf } from './plugin-packages.ts';
import { reviewTypes } from './plugin-types.ts';

/** The result of a check. `--json` prints it as JSON. */
export interface PluginCheck {
  /** Whether a server takes it, it runs, and its types hold as far as they were checked. */
  readonly ok: boolean;
  readonly id: string | null;
  readonly version: string | null;
  /** Bytes of its package, packed and unpacked. */
  readonly packedBytes: number | null;
  readonly unpackedBytes: number | null;
  /** CPU milliseconds of its start in the sandbox. */
  readonly startCpuMs: number | null;
  readonly findings: readonly Finding[];
  /** What an admin reads before the plugin is granted anything, in English. */
  readonly consent: readonly ConsentLine[];
}

/** A permission in the words of the server, and the reason in those of the manifest. */
export interface ConsentLine {
  readonly sentence: string;
  readonly reason: string | null;
}

const largeBytes = 2 * 1024 * 1024;

/** Optional checks. */
export interface CheckAsked {
  /** Runs the TypeScript of a folder that has a tsconfig.json; yes when absent. */
  readonly types?: boolean;
}

/** Checks a folder or a package. */
export async function reviewAt(at: string, asked: CheckAsked = {}): Promise<PluginCheck> {
  const source = await checkPlugin(at).catch(refusals);
  if (!('manifest' in source))
    return { ...nothing, findings: [...source, ...(await reviewRest(at, asked, source))] };
  const { manifest, locales, files, origin } = source;
  const { isOutdated, reviewPlugin } = await loadKit();
  const [{ findings, startCpuMs }, types] = await Promise.all([
    reviewPlugin({ manifest, locales, source: mainOf(source), origin }),
    origin !== null && asked.types !== false ? reviewTypes(origin.folder, origin.entry) : [],
  ]);
  const isStale = origin !== null && (await isOutdated(origin.entry, manifest));
  const all = [
    ...findings,
    ...types,
    ...(isStale ? [outdated] : []),
    ...reviewFiles(manifest, files),
  ];
  return {
    ok: !all.some(({ level }) => level === 'error'),
    id: manifest.id,
    version: manifest.version,
    packedBytes: packed(files).length,
    unpackedBytes: sizeOf(files),
    startCpuMs: startCpuMs === null ? null : Math.round(startCpuMs),
    findings: all,
    consent: consentOf(manifest),
  };
}

const consentOf = (manifest: Manifest): readonly ConsentLine[] =>
  sentencesOf(powersAsked(manifest)).map(({ sentence, reason }) => ({ sentence, reason }));

const nothing = {
  ok: false,
  id: null,
  version: null,
  packedBytes: null,
  unpackedBytes: null,
  startCpuMs: null,
  consent: [],
};

/** A mistake of the author becomes a finding for each of its lines; any other error is thrown. */
function refusals(error: unknown): readonly Finding[] {
  const isMistake =
    error instanceof ConfigError || (error instanceof Error && error.name === 'PluginFault');
  if (!isMistake) throw error;
  return error.message
    .split('\n')
    .map((message) => ({ level: 'error', code: 'refused', message }) as const);
}

/** What else is wrong in the folder of a plugin that is refused, so that all is told at once. */
async function reviewRest(
  at: string,
  { types }: CheckAsked,
  told: readonly Finding[],
): Promise<readonly Finding[]> {
  const read = await readSource(at).catch(() => null);
  if (read?.ok !== true) return [];
  const { bundlePlugin, reviewManifest, sourceIn } = await loadKit();
  const entry = await sourceIn(at);
  const parsed = authorReader.parseText(
    Buffer.from(read.files.get('manifest.json') ?? []).toString('utf8'),
  );
  const [built, wrongTypes] = await Promise.all([
    entry === null ? [] : bundlePlugin(entry).then(() => [], refusals),
    entry === null || types === false ? [] : reviewTypes(at, entry),
  ]);
  const rest = [
    ...built,
    ...wrongTypes,
    ...(parsed.ok ? reviewManifest(parsed.value) : []),
    ...reviewFiles(parsed.ok ? parsed.value : null, read.files),
  ];
  return rest.filter(({ message }) => !told.some((one) => one.message.includes(message)));
}

const outdated: Finding = {
  level: 'warning',
  code: 'types-outdated',
  message: 'configuration.ts differs from manifest.json; vitrine plugin types writes it again.',
};

/** A line of each README that `vitrine plugin create` makes. */
const untouched = 'vitrine plugin check warns until this line is gone';

/** Warns of a README that says what the template does. */
export const untouchedIn = (files: PackageFiles): readonly Finding[] =>
  Buffer.from(files.get('README.md') ?? [])
    .toString('utf8')
    .includes(untouched)
    ? [
        missing(
          'readme-untouched',
          'README.md is still that of the template: say what the plugin does, and remove the line that says so.',
        ),
      ]
    : [];

function reviewFiles(manifest: Manifest | null, files: PackageFiles): readonly Finding[] {
  const bytes = sizeOf(files);
  const has = (name: string) => [...files.keys()].some((file) => file.startsWith(name));
  return [
    ...(manifest === null ? [] : unexplained(manifest)).map((name) => ({
      level: 'warning' as const,
      code: 'reason-missing' as const,
      message: `permissions.${name} has no reason: an admin will read "It does not say why."`,
    })),
    ...(has('README')
      ? []
      : [
          missing(
            'readme-missing',
            'There is no README: an admin will have the description alone.',
          ),
        ]),
    ...untouchedIn(files),
    ...(has('LICENSE') ? [] : [missing('license-missing', 'There is no LICENSE file.')]),
    ...(bytes > largeBytes
      ? [missing('large', `It is ${bytes} bytes unpacked: a start will take longer.`)]
      : []),
  ];
}

const missing = (code: Finding['code'], message: string): Finding => ({
  level: 'warning',
  code,
  message,
});

function unexplained(manifest: Manifest): readonly string[] {
  const { reasons = {}, ...powers } = powersAsked(manifest);
  return Object.keys(powers).filter((name) => !Object.hasOwn(reasons, name));
}

const sizeOf = (files: PackageFiles): number =>
  [...files.values()].reduce((sum, { length }) => sum + length, 0);
