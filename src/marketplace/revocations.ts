/** Which installed packages must not run, as the sources say. */
import type { PackageRecord } from '../../kernel/index.ts';
import { reasonIn } from './catalogue.ts';
import type { OpenSource } from './source.ts';

/**
 * Why a package must not run, or `null`. Any source may take back the very package that is installed; by
 * its version alone only the one that it came from. When nobody knows the package any more, what was
 * said last holds.
 */
export function verdictOn(sources: readonly OpenSource[], record: PackageRecord): string | null {
  let isKnown = false;
  for (const source of sources) {
    const { index } = source;
    const isOrigin = source.id === record.source;
    const plugin = index.plugins.find(({ id }) => id === record.pluginId);
    const version = plugin?.versions.find(
      (one) => one.sha256 === record.sha256 || (isOrigin && one.version === record.version),
    );
    isKnown ||= version !== undefined;
    const reason = version ? reasonIn(version) : null;
    if (reason !== null) return `${index.name} revoked version ${record.version}: ${reason}`;
    const isPublisher =
      isOrigin || index.plugins.some(({ publisherKey }) => publisherKey === record.publisherKey);
    const key = index.revokedKeys?.find((one) => one.publisherKey === record.publisherKey);
    if (key && isPublisher) return `${index.name} revoked the key of its publisher: ${key.reason}`;
  }
  return isKnown ? null : record.revoked;
}
