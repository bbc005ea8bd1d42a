/**
 * Installs plugins from package files that an admin uploads. The package passes the checks of one
 * from a source; only the publisher's key is vouched for by the admin. Without a decision about its
 * permissions nothing of it runs.
 */
import type { Installs, PluginPermissions, Verdict } from '../../../kernel/plugins/index.ts';
import { translated } from '../../../kernel/plugins/locales/index.ts';
import type { ManifestReader } from '../../../kernel/plugins/manifest/index.ts';
import {
  departedFault,
  isNewer,
  leadsTo,
  openArchive,
  runsOn,
  type OpenedArchive,
} from '../../../kernel/plugins/packages/index.ts';
import { clamp, interfaceSentence, powersAsked } from '../../../kernel/plugins/powers/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { AppError } from '../../platform/errors.ts';
import { resultOf, type Installed } from './installed.ts';
import { forgetRolledBack } from './rolled-back-store.ts';
import type { SourceMemory } from './source-memory.ts';
import type { Sources } from './sources.ts';
import type { UploadOrder } from '../../contract/resources/plugins/packages.ts';

/** What a package file holds, before anything of it is stored. */
export interface OpenedUpload {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly license: string;
  readonly publisherKey: string;
  /** Whether a source offers the plugin with the same key. */
  readonly isKnown: boolean;
  /** The installed version that it would replace; `null` = it is not installed. */
  readonly replaces: string | null;
  /** What it asks for beyond the installed version, one phrase each. */
  readonly asksMore: readonly string[];
  /** `granted` is what of it the installed version has now. */
  readonly permissions: PluginPermissions;
}

/** The package files that admins upload. */
export type Uploads = ReturnType<typeof createUploads>;

export interface UploadsParts {
  readonly sources: Pick<Sources, 'all'>;
  readonly memory: Pick<SourceMemory, 'rotations'>;
  readonly installs: Pick<Installs, 'find' | 'place' | 'asksMore'>;
  readonly exists: (pluginId: string) => boolean;
  /** The decision about an installed plugin. */
  readonly permissionsOf: (pluginId: string) => PluginPermissions;
  readonly placesOf: (pluginId: string, locale: string | null) => string | null;
  /** Why a package must not run. */
  readonly verdict: Verdict;
  readonly reader: ManifestReader;
  readonly audit: RecordAudit;
  readonly serverVersion: string;
}

/** Creates them over the installations. */
export function createUploads(parts: UploadsParts) {
  const { sources, memory, installs, reader, serverVersion } = parts;

  async function keyFault(id: string, key: string): Promise<string | null> {
    const record = installs.find(id);
    if (!record || (await leadsTo(record.publisherKey, key, memory.rotations()))) return null;
    return `The package is signed with ${key}, but ${id} was installed with the key ${record.publisherKey}, and no rotation replaces that key.`;
  }

  async function opened(file: string): Promise<OpenedArchive> {
    const result = await openArchive(bytesOf(file), { reader, keyFault });
    if (!result.ok) throw new AppError(result.code, { what: result.message });
    const { archive } = result;
    const { id, version, minVersion } = archive.manifest;
    const { sha256, publisherKey } = archive;
    const judged = { pluginId: id, version, sha256, publisherKey, source: null, revoked: null };
    const revoked = parts.verdict(judged);
    if (revoked !== null) throw new AppError('REVOKED', { what: revoked });
    const departed = await departedFault(archive, memory.rotations());
    if (departed !== null) throw new AppError('PUBLISHER_CHANGED', { what: departed });
    const what = `${id} needs server version ${minVersion}; this server has ${serverVersion}.`;
    if (!runsOn(minVersion, serverVersion)) throw new AppError('INCOMPATIBLE_VERSION', { what });
    assertReplaceable(id, version);
    return archive;
  }

  function assertReplaceable(id: string, version: string): void {
    const record = installs.find(id);
    if (!record) {
      if (!parts.exists(id)) return;
      const what = `Plugin ${id} is installed from a folder of the server or comes with it. A package does not replace it.`;
      throw new AppError('conflict', { what });
    }
    const isRepair = !parts.exists(id) && record.version === version;
    if (isNewer(version, record.version) || isRepair) return;
    const what = `${id} ${record.version} is installed; ${version} is not newer.`;
    throw new AppError('ALREADY_LATEST', { what });
  }

  /** Checks a package and says what it asks for, in a language if it has it. Stores nothing. */
  const look = async (file: string, locale: string | null = null): Promise<OpenedUpload> => {
    const { manifest, locales, publisherKey } = await opened(file);
    const { id, version, author, license } = manifest;
    const shown = translated(manifest, locales, locale);
    const { name, description, permissions } = shown;
    const asked = powersAsked(manifest);
    const before = parts.exists(id) ? parts.permissionsOf(id) : null;
    const offers = sources.all().flatMap(({ index }) => index.plugins);
    return {
      id,
      name,
      version,
      description,
      author,
      license,
      publisherKey,
      isKnown: offers.some((one) => one.id === id && one.publisherKey === publisherKey),
      replaces: installs.find(id)?.version ?? null,
      asksMore: installs.asksMore(id, asked),
      permissions: {
        asked,
        reasons: permissions.reasons ?? {},
        granted: before?.granted ? clamp(before.granted, asked) : null,
        reach: before?.reach ?? 'all',
        adds: interfaceSentence(shown, locale),
      },
    };
  };

  /** Installs it, or replaces the installed version of the same publisher. */
  const install = async (
    { file, granted, libraries }: UploadOrder,
    actor: Viewer,
  ): Promise<Installed> => {
    if (granted === undefined && libraries !== undefined)
      throw new AppError('invalid_request', {
        what: 'libraries is valid only with granted: send granted as well.',
      });
    const archive = await opened(file);
    const { id, version } = archive.manifest;
    const { sha256, publisherKey } = archive;
    const before = installs.find(id)?.version ?? null;
    const outcome = await installs.place(archive, {
      source: null,
      ...(granted !== undefined && { granted, reach: libraries }),
      alongside: async (trx) => {
        await forgetRolledBack(trx, id, version);
        await parts.audit(trx, {
          actor,
          action: `plugin.${before === null ? 'installed' : 'upgraded'}`,
          change: 'event',
          target: { type: 'plugin', id },
          details: { version, sha256, publisherKey, source: 'file', ...(before && { before }) },
        });
      },
    });
    const { locale = null } = actor;
    return resultOf(outcome, { version, locale, places: parts.placesOf(id, locale) });
  };

  return { look, install };
}

/** Node skips characters that are not base64, so such a text is refused before it is decoded. */
function bytesOf(base64: string): Uint8Array {
  if (base64.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(base64))
    throw new AppError('invalid_request', { what: 'file must be a package in base64.' });
  return Buffer.from(base64, 'base64');
}
