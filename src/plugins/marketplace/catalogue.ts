/** The offers of the sources, compared with the installed plugins. */
import {
  byVersion,
  isNewer,
  isPrerelease,
  runsOn,
  type GrantingField,
  type IndexPlugin,
  type IndexVersion,
  type PackageRecord,
  type SubscribedNames,
} from '../../../kernel/run/packages/index.ts';
import { wordsFor } from '../../../kernel/run/locales/index.ts';
import { sentencesOf, type PermissionSentence } from '../../../kernel/run/powers/index.ts';
import { readCursor, writeCursor } from '../../platform/cursor.ts';
import { reasonIn } from './revocations.ts';
import type { OpenSource } from './source.ts';
import type { RolledBackVersion } from './rolled-back-store.ts';
import type { OffersQuery } from '../../contract/resources/plugins/marketplace.ts';

/** A plugin of one source. */
export interface Offer {
  readonly source: OpenSource;
  readonly plugin: IndexPlugin;
}

/** A version as shown to admins. */
export interface ShownVersion extends Pick<
  IndexVersion,
  'version' | 'sha256' | 'size' | 'minVersion'
> {
  /**
   * All permissions that it asks for, with those that follow from its capabilities and
   * subscriptions.
   */
  readonly permissions: Record<string, unknown>;
  /** The same as sentences. */
  readonly sentences: readonly PermissionSentence[];
  readonly revoked: string | null;
  /** Whether this server can run it. */
  readonly runs: boolean;
  readonly capabilities: readonly string[];
  readonly subscriptions: Required<SubscribedNames>;
  readonly actions: readonly string[];
  /** Configuration fields with which an admin lets it reach more hosts. */
  readonly grants: readonly GrantingField[];
}

/** An offer as shown to admins. */
export interface ShownOffer extends Pick<
  IndexPlugin,
  'id' | 'name' | 'description' | 'author' | 'license' | 'publisherKey'
> {
  readonly homepage: string | null;
  readonly repository: string | null;
  /** Plain text; only in the reply for one plugin, `null` in a list. */
  readonly readme: string | null;
  /** The changes of each version; likewise. */
  readonly changes: string | null;
  readonly source: { readonly id: string; readonly name: string; readonly isExpired: boolean };
  /** Newest first. */
  readonly versions: readonly ShownVersion[];
  /** The version of an installation or upgrade without a version; `null` = there is none. */
  readonly latest: string | null;
  readonly installed: {
    readonly version: string;
    readonly previousVersion: string | null;
    readonly revoked: string | null;
    /** Whether `latest` is newer. */
    readonly canUpgrade: boolean;
    /** Its files were changed after installation, so it does not run; it may be installed again. */
    readonly isDamaged: boolean;
    /** Versions that were tried and rolled back; they are installed only when they are named. */
    readonly takenBack: readonly Pick<RolledBackVersion, 'version' | 'reason'>[];
    /** The permissions of `latest` that the installed version did not ask for, one phrase each. */
    readonly asksMore: readonly string[];
  } | null;
}

export interface OffersPage {
  readonly plugins: readonly ShownOffer[];
  readonly nextCursor: string | null;
}

/** The dependencies of the list. */
export interface CatalogueParts {
  readonly sources: () => readonly OpenSource[];
  readonly record: (id: string) => PackageRecord | undefined;
  readonly asksMore: (id: string, permissions: IndexVersion['permissions']) => readonly string[];
  /** The version to which a rollback returns; `null` = there is none. */
  readonly next: (id: string) => string | null;
  /** Whether its code is present and intact. */
  readonly exists: (id: string) => boolean;
  readonly takenBack: readonly RolledBackVersion[];
  readonly serverVersion: string;
  /** The language of the reader, as BCP 47; `null` = the words of the manifests. */
  readonly locale: string | null;
  readonly hasExpired: (source: OpenSource) => boolean;
  /** Why a version was revoked by any source; `null` = it was not. */
  readonly revokedBy: (
    offer: Offer,
    version: Pick<IndexVersion, 'version' | 'sha256'>,
  ) => string | null;
  /** The same of an installed package, in the language of the reader. */
  readonly verdict: (installed: PackageRecord) => string | null;
}

/** A page of the offers, by id. */
export function listOffers(parts: CatalogueParts, query: OffersQuery): OffersPage {
  const { q = '', id, limit = 50, cursor } = query;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const after = cursor === undefined ? null : readCursor(cursor, 2).map(String);
  const found = offersOf(parts.sources())
    .filter(({ plugin }) => id === undefined || plugin.id === id)
    .filter(({ plugin }) => {
      const { name, description } = wordsOf(plugin, parts.locale);
      const text =
        `${plugin.id} ${plugin.name} ${plugin.description} ${name} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((one, other) => compare(keyOf(one), keyOf(other)))
    .filter((offer) => after === null || compare(keyOf(offer), after) > 0);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    plugins: page.map((offer) => shown(offer, { ...parts, isWhole: id !== undefined })),
    nextCursor: found.length > limit && last ? writeCursor(keyOf(last)) : null,
  };
}

/** Every plugin of every source. */
export const offersOf = (sources: readonly OpenSource[]): Offer[] =>
  sources.flatMap((source) => source.index.plugins.map((plugin) => ({ source, plugin })));

/** The version for a request that names none. */
export function latestOf(
  offer: Offer,
  parts: Pick<CatalogueParts, 'serverVersion' | 'revokedBy' | 'takenBack'>,
): IndexVersion | undefined {
  const { serverVersion, revokedBy } = parts;
  const failed = new Set(rolledBackOf(offer.plugin.id, parts).map(({ version }) => version));
  const usable = offer.plugin.versions.filter(
    (one) =>
      runsOn(one.minVersion, serverVersion) &&
      revokedBy(offer, one) === null &&
      !failed.has(one.version),
  );
  const stable = usable.filter(({ version }) => !isPrerelease(version));
  const among = stable.length > 0 ? stable : usable;
  return [...among].sort((one, other) => byVersion(one.version, other.version))[0];
}

/** The rolled-back versions of one plugin, newest first. */
export const rolledBackOf = (
  id: string,
  { takenBack }: Pick<CatalogueParts, 'takenBack'>,
): readonly Pick<RolledBackVersion, 'version' | 'reason'>[] =>
  takenBack
    .filter(({ pluginId }) => pluginId === id)
    .sort((one, other) => byVersion(one.version, other.version))
    .map(({ version, reason }) => ({ version, reason }));

function shown(offer: Offer, parts: CatalogueParts & { readonly isWhole: boolean }): ShownOffer {
  const { source, plugin } = offer;
  const { serverVersion, record, asksMore, hasExpired, revokedBy, locale } = parts;
  const { id, author, license, publisherKey, versions } = plugin;
  const { homepage = null, repository = null, readme = null, changes = null } = plugin;
  const latest = latestOf(offer, parts);
  const installed = record(id);
  return {
    id,
    ...wordsOf(plugin, locale),
    author,
    license,
    homepage,
    repository,
    publisherKey,
    ...(parts.isWhole ? { readme, changes } : { readme: null, changes: null }),
    source: { id: source.id, name: source.index.name, isExpired: hasExpired(source) },
    versions: [...versions]
      .sort((one, other) => byVersion(one.version, other.version))
      .map((version) => ({
        ...shownVersion(version, locale),
        revoked: reasonIn(version, locale) ?? revokedBy(offer, version),
        runs: runsOn(version.minVersion, serverVersion),
      })),
    latest: latest?.version ?? null,
    installed: installed
      ? {
          version: installed.version,
          previousVersion: parts.next(id),
          revoked:
            installed.revoked === null ? null : (parts.verdict(installed) ?? installed.revoked),
          canUpgrade:
            latest !== undefined &&
            isNewer(latest.version, installed.version) &&
            !hasExpired(source),
          isDamaged: !parts.exists(id),
          takenBack: rolledBackOf(id, parts),
          asksMore: latest ? asksMore(id, latest.permissions) : [],
        }
      : null,
  };
}

function wordsOf(
  plugin: IndexPlugin,
  locale: string | null,
): Pick<ShownOffer, 'name' | 'description'> {
  const { name, description, translations = {} } = plugin;
  return { name, description, ...wordsFor(translations, locale) };
}

function shownVersion(
  one: IndexVersion,
  locale: string | null,
): Omit<ShownVersion, 'revoked' | 'runs'> {
  const { version, sha256, size, minVersion, permissions, subscriptions } = one;
  const { capabilities = [], actions = [], grants = [] } = one;
  return {
    version,
    sha256,
    size,
    minVersion,
    capabilities,
    actions,
    grants,
    permissions: { ...permissions },
    sentences: sentencesOf(
      {
        ...permissions,
        reasons: { ...permissions.reasons, ...wordsFor(one.reasons ?? {}, locale) },
      },
      { locale },
    ),
    subscriptions: { events: [], hooks: [], views: [], ...subscriptions },
  };
}

const keyOf = ({ source, plugin }: Offer): readonly [string, string] => [plugin.id, source.id];

function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const against = other[index] ?? '';
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}
