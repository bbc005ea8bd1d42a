/** The revocations of packages by the sources. */
import type { JudgedPackage } from '../../../kernel/run/index.ts';
import type { IndexVersion, MarketplaceIndex } from '../../../kernel/run/packages/index.ts';
import type { SeenRevocation } from './memory-store.ts';
import { reasonText, revocationWords } from './revocation-words.ts';
import type { OpenSource } from './source.ts';

/** Why a version is revoked; `null` = it is not. Without a language it is the reason as it is stored. */
export function reasonIn(
  { revoked }: Pick<IndexVersion, 'revoked'>,
  locale: string | null = null,
): string | null {
  if (revoked === undefined) return null;
  return revoked === true ? revocationWords(locale).noReason : revoked;
}

/** The differences of an index from the known state: new revocations, and withdrawn ones. */
export function changedRevocations(
  index: MarketplaceIndex,
  said: readonly SeenRevocation[],
): readonly SeenRevocation[] {
  const stands = revokedIn(index);
  const known = new Map(said.map((one) => [`${one.sourceKey} ${keyOf(one)}`, one]));
  const revoked = [...stands.values()].filter((one) => {
    const before = known.get(`${one.sourceKey} ${keyOf(one)}`);
    return !before || before.isLifted || before.reason !== one.reason;
  });
  const offered = new Set(index.plugins.flatMap(({ versions }) => versions.map((v) => v.sha256)));
  const lifted = said
    .filter((one) => !one.isLifted && !stands.has(keyOf(one)))
    // A package that is not offered any more stays revoked; of keys the list is the whole list.
    .filter((one) => one.kind === 'key' || offered.has(one.subject))
    .map((one) => ({ ...one, isLifted: true }));
  return [...revoked, ...lifted];
}

/**
 * Why a package must not run, or `null`. Any source may revoke a package or a publisher's key. Only
 * the source of the package may revoke it by its version. Without a statement of any source the
 * state is unchanged.
 *
 * @param locale The language of the reader; `null` = English, as it is stored.
 */
export function verdictOn(
  seen: readonly SeenRevocation[],
  judged: JudgedPackage,
  origin: OpenSource | undefined,
  locale: string | null = null,
): string | null {
  const claims = seen.filter((one) => concerns(one, judged, origin));
  const standing = claims.find(({ isLifted }) => !isLifted);
  if (!standing) return claims.length > 0 ? null : judged.revoked;
  const { kind, sourceName } = standing;
  const words = revocationWords(locale);
  const reason = reasonText(standing.reason, locale);
  return kind === 'key'
    ? words.ofKey(sourceName, reason)
    : words.ofVersion(sourceName, judged.version, reason);
}

/**
 * Turns a revocation by version into one of the package itself, so that it stays when the source is
 * removed.
 */
export function ofPackageItself(
  seen: readonly SeenRevocation[],
  judged: JudgedPackage,
  origin: OpenSource | undefined,
): readonly SeenRevocation[] {
  return seen
    .filter((one) => !one.isLifted && isByVersion(one, judged, origin))
    .map((one) => ({ ...one, subject: judged.sha256 }))
    .filter(
      (own) => !seen.some((one) => keyOf(one) === keyOf(own) && one.sourceKey === own.sourceKey),
    );
}

const keyOf = ({ kind, subject }: SeenRevocation): string => `${kind} ${subject}`;

const concerns = (
  one: SeenRevocation,
  judged: JudgedPackage,
  origin: OpenSource | undefined,
): boolean =>
  one.kind === 'key'
    ? one.subject === judged.publisherKey
    : one.subject === judged.sha256 || isByVersion(one, judged, origin);

const isByVersion = (
  { kind, sourceKey, indexId, pluginId, version }: SeenRevocation,
  judged: JudgedPackage,
  origin: OpenSource | undefined,
): boolean =>
  kind === 'package' &&
  sourceKey === origin?.index.publisherKey &&
  indexId === origin.index.indexId &&
  pluginId === judged.pluginId &&
  version === judged.version;

function revokedIn(index: MarketplaceIndex): ReadonlyMap<string, SeenRevocation> {
  const { publisherKey: sourceKey, indexId, name: sourceName, plugins, revokedKeys = [] } = index;
  const common = { sourceKey, indexId, sourceName, isLifted: false };
  const packages = plugins.flatMap(({ id: pluginId, versions }) =>
    versions.flatMap((one): readonly SeenRevocation[] => {
      const { sha256: subject, version } = one;
      const reason = reasonIn(one);
      if (reason === null) return [];
      return [{ ...common, kind: 'package', subject, pluginId, version, reason }];
    }),
  );
  const keys = revokedKeys.map(({ publisherKey: subject, reason }): SeenRevocation => ({
    ...common,
    kind: 'key',
    subject,
    pluginId: '',
    version: '',
    reason,
  }));
  return new Map([...packages, ...keys].map((one) => [keyOf(one), one]));
}
