/** Places packages: a first version of a plugin, or a replacement. */
import { isOutageUnder } from '../../errors.ts';
import { candidate, type PluginPackage } from '../packages/discovery.ts';
import { refused } from './install.ts';
import type { InstallOutcome, Installs, JudgedPackage, PlaceOptions } from './install.ts';
import { grantFor, incompatibilityOf, missingConsent } from './install-check.ts';
import type { Rollback } from './rollback.ts';
import type { InstallWatch } from './install-watch.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { SharedParts } from './installs-parts.ts';
import type { OpenedArchive } from '../packages/index.ts';
import { findSettings, type PluginSettings } from '../settings/plugin-store.ts';
import { powersAsked } from '../powers/powers-asked.ts';
import { newSettings } from '../registry/installed-plugins.ts';

/** The parts of a placement. */
export interface PlacePackageParts extends SharedParts {
  readonly watch: InstallWatch;
  readonly takeBack: Rollback['takeBack'];
}

/** The disk takes nothing: it is read-only or full. */
const diskCodes: ReadonlySet<string> = new Set(['EROFS', 'ENOSPC', 'EDQUOT']);

/** Creates the function that places a package. */
export function createPlacePackage(parts: PlacePackageParts): Installs['place'] {
  const { database, folders, installed, order, reader, judge, clock, log } = parts;
  const { swaps, packages, probations, queue, watch, takeBack, verdict } = parts;

  const place: Installs['place'] = (archive, options) =>
    queue.exclusive(archive.manifest.id, async () => {
      const { manifest } = archive;
      const why = verdict(judgedOf(archive, options));
      if (why !== null) return refused('REVOKED', `${manifest.id} was not installed. ${why}`);
      const misfit = incompatibilityOf(manifest, parts);
      if (misfit !== null) return refused('INCOMPATIBLE_VERSION', misfit);
      const old = installed.find(manifest.id);
      const settings = await settingsOf(manifest.id);
      const more = missingConsent(manifest, settings);
      if (old && more.length > 0 && options.granted === undefined) {
        const asked = powersAsked(manifest);
        return { kind: 'waiting', plugin: old.resource(), asked, more };
      }
      const { granted, reach } = options;
      const grant = await grantFor(manifest, settings, { granted, reach, reader, judge });
      const folder = await unpacked(archive);
      if (folder === null) return refused('START_FAILED', `${manifest.id} could not be unpacked.`);
      const expected = { ...archive, pluginId: manifest.id, version: manifest.version };
      const found = await candidate(folder, 'marketplace', { ...parts, expected });
      if (found.kind === 'skipped') return refused('INVALID_MANIFEST', found.entry.message);
      return swap(found.found, { archive, options, settings: { ...settings, grant } });
    });

  async function unpacked(archive: OpenedArchive): Promise<string | null> {
    try {
      await parts.bytes?.write(archive.sha256, archive.bytes);
      return await folders.place(archive);
    } catch (error) {
      log.error({ err: error, pluginId: archive.manifest.id }, 'A package was not unpacked.');
      // The disk failed, not the package.
      if (error instanceof Error && 'code' in error && diskCodes.has(String(error.code)))
        throw error;
      return null;
    }
  }

  async function settingsOf(id: string): Promise<PluginSettings> {
    const known = installed.find(id)?.settings;
    return known ?? (await findSettings(database.read, id)) ?? newSettings;
  }

  /** Makes the new version current and starts it. */
  async function swap(
    found: PluginPackage,
    {
      archive,
      options,
      settings,
    }: { archive: OpenedArchive; options: PlaceOptions; settings: PluginSettings },
  ): Promise<InstallOutcome> {
    const { id, version } = archive.manifest;
    const old = installed.find(id);
    const startsNow = settings.isEnabled && settings.grant !== null;
    const wasUp = old?.isUp ?? false;
    const record = {
      pluginId: id,
      version,
      sha256: archive.sha256,
      publisherKey: archive.publisherKey,
      source: options.source,
      phase: startsNow ? ('starting' as const) : ('settled' as const),
      phaseAt: clock.now(),
      revoked: null,
    };
    let made: InstalledPlugin | null = null;
    try {
      await old?.supervisor.stop();
      await swaps.putInPlace(record, { settings, alongside: options.alongside });
      parts.forgetIndex(id);
      await packages.refresh();
      made = await installed.admit(found, settings);
      parts.tell(made, 'discovered');
      if (!startsNow) return { kind: 'done', plugin: made.resource() };
      await begin(made, { version, wasUp });
      return { kind: 'done', plugin: made.resource() };
    } catch (error) {
      const why = error instanceof NotBegun ? error.message : 'It could not be installed.';
      if (!(error instanceof NotBegun))
        log.error({ err: error, pluginId: id }, 'A plugin could not be installed.');
      await takeBack(id, { sha256: archive.sha256, old, made, restarts: startsNow, reason: why });
      // The database failed, not the package: a later attempt may succeed.
      if (isOutageUnder(error)) throw error;
      return refused('START_FAILED', `${id} ${version} was taken back. ${why}`);
    }
  }

  /** Starts a version, waits until it runs, and watches it from then on. */
  async function begin(
    plugin: InstalledPlugin,
    { version, wasUp }: { version: string; wasUp: boolean },
  ): Promise<void> {
    const found = order.obstacle(plugin);
    if (found && wasUp) throw new NotBegun(found.message);
    // It waits for the same thing as the version before.
    if (found) return watch.setPhase(plugin.id, 'settled');
    const probation = probations.begin(plugin);
    order.startIfReady(plugin).catch((error: unknown) => probation.giveUp(String(error)));
    const why = await probation.begun;
    if (why !== null) throw new NotBegun(why);
    await watch.begin(probation, version);
  }

  return place;
}

/** A version that was started and does not run, through its own fault. */
class NotBegun extends Error {}

const judgedOf = (
  { manifest, sha256, publisherKey }: OpenedArchive,
  { source }: PlaceOptions,
): JudgedPackage => ({
  pluginId: manifest.id,
  version: manifest.version,
  sha256,
  publisherKey,
  source,
  revoked: null,
});
