/**
 * Installs plugins from package files that an admin uploads. The package passes the checks of one
 * from a source; only the publisher's key is vouched for by the admin. Without a decision about its
 * permissions nothing of it runs.
 */
import type { Installs, PluginPermissions, Verdict } from '../../../kernel/run/index.ts';
import { translated } from '../../../kernel/run/locales/index.ts';
import type { ManifestReader } from '../../../kernel/run/manifest/index.ts';
import {
  departedFault,
  isNewer,
  leadsTo,
  openArchive,
  runsOn,
  type OpenedArchive,
} from '../../../kernel/run/packages/index.ts';
import { clamp, interfaceSentence, powersAsked } from '../../../kernel/run/powers/index.ts';
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

/** The package files that admins upload. */
export class Uploads {
  readonly #parts: UploadsParts;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
  }

  readonly #keyFault = async (id: string, key: string): Promise<string | null> => {
    const record = this.#parts.installs.find(id);
    if (!record || (await leadsTo(record.publisherKey, key, this.#parts.memory.rotations())))
      return null;
    return `The package is signed with ${key}, but ${id} was installed with the key ${record.publisherKey}, and no rotation replaces that key.`;
  };

  async #opened(file: string): Promise<OpenedArchive> {
    const { reader, memory, serverVersion } = this.#parts;
    const result = await openArchive(bytesOf(file), { reader, keyFault: this.#keyFault });
    if (!result.ok) throw new AppError(result.code, { what: result.message });
    const { archive } = result;
    const { id, version, minVersion } = archive.manifest;
    const { sha256, publisherKey } = archive;
    const judged = { pluginId: id, version, sha256, publisherKey, source: null, revoked: null };
    const revoked = this.#parts.verdict(judged);
    if (revoked !== null) throw new AppError('REVOKED', { what: revoked });
    const departed = await departedFault(archive, memory.rotations());
    if (departed !== null) throw new AppError('PUBLISHER_CHANGED', { what: departed });
    const what = `${id} needs server version ${minVersion}; this server has ${serverVersion}.`;
    if (!runsOn(minVersion, serverVersion)) throw new AppError('INCOMPATIBLE_VERSION', { what });
    this.#assertReplaceable(id, version);
    return archive;
  }

  #assertReplaceable(id: string, version: string): void {
    const record = this.#parts.installs.find(id);
    if (!record) {
      if (!this.#parts.exists(id)) return;
      const what = `Plugin ${id} is installed from a folder of the server or comes with it. A package does not replace it.`;
      throw new AppError('conflict', { what });
    }
    const isRepair = !this.#parts.exists(id) && record.version === version;
    if (isNewer(version, record.version) || isRepair) return;
    const what = `${id} ${record.version} is installed; ${version} is not newer.`;
    throw new AppError('ALREADY_LATEST', { what });
  }

  /** Checks a package and says what it asks for, in a language if it has it. Stores nothing. */
  readonly look = async (file: string, locale: string | null = null): Promise<OpenedUpload> => {
    const { sources, installs } = this.#parts;
    const { manifest, locales, publisherKey } = await this.#opened(file);
    const { id, version, author, license } = manifest;
    const shown = translated(manifest, locales, locale);
    const { name, description, permissions } = shown;
    const asked = powersAsked(manifest);
    const before = this.#parts.exists(id) ? this.#parts.permissionsOf(id) : null;
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
  readonly install = async (
    { file, granted, libraries }: UploadOrder,
    actor: Viewer,
  ): Promise<Installed> => {
    if (granted === undefined && libraries !== undefined)
      throw new AppError('invalid_request', {
        what: 'libraries is valid only with granted: send granted as well.',
      });
    const archive = await this.#opened(file);
    const { id, version } = archive.manifest;
    const { sha256, publisherKey } = archive;
    const before = this.#parts.installs.find(id)?.version ?? null;
    const outcome = await this.#parts.installs.place(archive, {
      source: null,
      ...(granted !== undefined && { granted, reach: libraries }),
      alongside: async (trx) => {
        await forgetRolledBack(trx, id, version);
        await this.#parts.audit(trx, {
          actor,
          action: `plugin.${before === null ? 'installed' : 'upgraded'}`,
          change: 'event',
          target: { type: 'plugin', id },
          details: { version, sha256, publisherKey, source: 'file', ...(before && { before }) },
        });
      },
    });
    const { locale = null } = actor;
    return resultOf(outcome, { version, locale, places: this.#parts.placesOf(id, locale) });
  };
}

/** Creates them over the installations. */
export const createUploads = (parts: UploadsParts): Uploads => new Uploads(parts);

/** Node skips characters that are not base64, so such a text is refused before it is decoded. */
function bytesOf(base64: string): Uint8Array {
  if (base64.length % 4 !== 0 || /[^A-Za-z0-9+/=]/.test(base64))
    throw new AppError('invalid_request', { what: 'file must be a package in base64.' });
  return Buffer.from(base64, 'base64');
}
