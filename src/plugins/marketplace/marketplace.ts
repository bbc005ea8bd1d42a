/**
 * Installs and upgrades plugins from the sources; each package is verified before it is unpacked.
 */
import { KernelError, type Log } from '../../../kernel/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type {
  Alongside,
  Installs,
  JudgedPackage,
  PluginPermissions,
  Verdict,
} from '../../../kernel/run/index.ts';
import type { ManifestReader } from '../../../kernel/run/manifest/index.ts';
import type { Wording } from '../../../kernel/run/powers/index.ts';
import {
  byVersion,
  departedFault,
  differingFacts,
  isNewer,
  leadsTo,
  longestPackage,
  openArchive,
  runsOn,
  type IndexVersion,
  type KeyRotation,
  type OpenedArchive,
  type PackageRecord,
  versionFacts,
} from '../../../kernel/run/packages/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { AuditDetail, RecordAudit } from '../../platform/audit/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { SourceFetch } from '../../platform/net/index.ts';
import {
  latestOf,
  listOffers,
  offersOf,
  rolledBackOf,
  type Offer,
  type OffersPage,
} from './catalogue.ts';
import {
  offersWith,
  shownEarlier,
  type EarlierVersion,
  type ShownEarlier,
} from './earlier-versions.ts';
import { resultOf, type Installed } from './installed.ts';
import { ofPackageItself, verdictOn } from './revocations.ts';
import type { OpenSource } from './source.ts';
import type { SourceMemory } from './source-memory.ts';
import type { Sources } from './sources.ts';
import { forgetRolledBack, listRolledBack } from './rolled-back-store.ts';
import { createUploads, type Uploads } from './uploads.ts';
import type {
  InstallOrder,
  NewSource,
  OffersQuery,
  ShownSource,
} from '../../contract/resources/plugins/marketplace.ts';

/** The marketplace of a server. */
export interface Marketplace {
  /** Loads the state of the sources. From then on no revoked plugin starts. */
  readonly open: () => Promise<void>;
  /** Another server has changed a source. */
  readonly onRemoteChange: () => Promise<void>;
  /** With the words of the plugins in the language of a reader (BCP 47), where they have them. */
  readonly list: (
    query: OffersQuery,
    locale?: string | null,
  ) => Promise<OffersPage & { readonly sources: readonly ShownSource[] }>;
  readonly install: (order: InstallOrder, viewer: Viewer) => Promise<Installed>;
  readonly upgrade: (order: InstallOrder, viewer: Viewer) => Promise<Installed>;
  readonly rollBack: (
    order: Pick<InstallOrder, 'id' | 'version'>,
    viewer: Viewer,
  ) => Promise<Installed>;
  /** The versions of an installed plugin that were installed before, the last one first. */
  readonly earlier: (id: string, locale?: string | null) => readonly ShownEarlier[];
  readonly uninstall: (id: string, viewer: Viewer) => Promise<void>;
  /** The permissions that a version of an offered plugin asks for; throws `NOT_FOUND`. */
  readonly askedBy: (id: string, version: string) => Permissions;
  /** Why an installed plugin is revoked, in the language of a reader; `null` = no source says so now. */
  readonly whyRevoked: (id: string, locale: string | null) => string | null;
  readonly sources: () => readonly ShownSource[];
  readonly addSource: (source: NewSource, viewer: Viewer) => Promise<ShownSource>;
  readonly removeSource: (id: string, viewer: Viewer) => Promise<void>;
  /** The package files that admins send. */
  readonly uploads: Uploads;
  /** Downloads the indexes of all sources, and stops the plugins that they revoked. */
  readonly refresh: () => Promise<readonly ShownSource[]>;
}

export interface MarketplaceParts {
  readonly sources: Sources;
  readonly memory: SourceMemory;
  readonly database: Database;
  readonly installs: Installs;
  readonly exists: (pluginId: string) => boolean;
  /** The libraries and folders that a plugin may access, as text; `null` = everything. */
  readonly placesOf: (pluginId: string, locale: string | null) => string | null;
  /** The decision about an installed plugin. */
  readonly permissionsOf: (pluginId: string) => PluginPermissions;
  readonly reader: ManifestReader;
  readonly fetch: SourceFetch;
  /** Deletes what other parts store of a removed plugin, in the same transaction. */
  readonly removed?: (trx: Transaction, pluginId: string) => Promise<void>;
  readonly audit: RecordAudit;
  readonly serverVersion: string;
  readonly log: Log;
}

/** A version that replaces another one. */
interface Replacement {
  readonly viewer: Viewer;
  readonly there: PackageRecord;
  /** The action in the audit log. */
  readonly action: 'installed' | 'upgraded';
}

const timeoutMs = 120_000;

class SourceMarketplace implements Marketplace {
  readonly #parts: MarketplaceParts;
  readonly sources: Marketplace['sources'];
  readonly removeSource: Marketplace['removeSource'];
  readonly uploads: Marketplace['uploads'];

  constructor(parts: MarketplaceParts) {
    this.#parts = parts;
    this.sources = parts.sources.list;
    this.removeSource = parts.sources.remove;
    this.uploads = createUploads({ ...parts, verdict: this.#verdict });
  }

  readonly #offers = (id: string): readonly Offer[] =>
    offersOf(this.#parts.sources.all()).filter(({ plugin }) => plugin.id === id);

  readonly #noted =
    (
      actor: Viewer,
      action: string,
      id: string,
      details: Readonly<Record<string, AuditDetail>> = {},
    ): Alongside =>
    (trx) =>
      this.#parts.audit(trx, {
        actor,
        action: `plugin.${action}`,
        change: 'event',
        target: { type: 'plugin', id },
        details,
      });

  readonly install = async (order: InstallOrder, viewer: Viewer): Promise<Installed> => {
    const { id } = order;
    const there = this.#parts.installs.find(id);
    if (this.#parts.exists(id))
      throw new AppError('conflict', {
        what:
          there?.revoked == null
            ? `Plugin ${id} is installed; upgrade it instead.`
            : `Plugin ${id} ${there.version} is installed and does not run. ${there.revoked} Upgrade to a version that is not revoked, or remove it.`,
      });
    if (there) return this.#replace(order, { viewer, there, action: 'installed' });
    const offer = this.#pick(this.#offers(id), order);
    const version = await this.#versionOf(offer, order);
    const { publisherKey } = offer.plugin;
    const archive = await this.#fetched(offer, version, async (key, rotations) =>
      (await leadsTo(key, publisherKey, rotations))
        ? null
        : `The package is signed with ${key}, but the key of its publisher is ${publisherKey}.`,
    );
    const alongside = this.#noted(viewer, 'installed', id, detailsOf(archive));
    return this.#place(offer, archive, order, { viewer, alongside });
  };

  readonly upgrade = async (order: InstallOrder, viewer: Viewer): Promise<Installed> => {
    const { id } = order;
    const there = this.#parts.installs.find(id);
    if (!there)
      throw notFound(
        `Plugin ${id} was not installed from a marketplace, so it cannot be upgraded.`,
      );
    const replacement: Replacement = { viewer, there, action: 'upgraded' };
    try {
      return await this.#replace(order, replacement);
    } catch (error) {
      if (!isPerhapsPublished(error)) throw error;
      // The known index may be an hour old.
      const source = order.source ?? there.source;
      if (source === null || !(await this.#parts.sources.askAgain(source))) throw error;
      await this.#judge();
      return this.#replace(order, replacement);
    }
  };

  /**
   * Replaces the installed version; a plugin with damaged files may be replaced by the same
   * version.
   */
  async #replace(
    order: InstallOrder,
    { viewer, there: record, action }: Replacement,
  ): Promise<Installed> {
    const { id } = order;
    const all = this.#offers(id);
    const origin = all.filter(({ source }) => source.id === (order.source ?? record.source));
    const offer = this.#pick(origin.length > 0 ? origin : all, order);
    const version = await this.#versionOf(offer, order);
    const isRepair = !this.#parts.exists(id) && version.version === record.version;
    if (!isNewer(version.version, record.version) && !isRepair)
      throw await this.#notNewer(record, version.version);
    const archive = await this.#fetched(offer, version, async (key, rotations) =>
      (await leadsTo(record.publisherKey, key, rotations))
        ? null
        : `The package is signed with ${key}, but ${id} was installed with the key ${record.publisherKey}, and no rotation replaces that key.`,
    );
    const details = { ...detailsOf(archive), before: record.version };
    return this.#place(offer, archive, order, {
      viewer,
      alongside: this.#noted(viewer, action, id, details),
    });
  }

  async #notNewer({ pluginId, version }: JudgedPackage, offered: string): Promise<AppError> {
    const takenBack = await listRolledBack(this.#parts.database.read);
    const [failed] = rolledBackOf(pluginId, { takenBack });
    const what =
      failed && isNewer(failed.version, version)
        ? `${pluginId} ${version} is installed; ${failed.version} was rolled back. ${failed.reason} Name that version to try it again.`
        : `${pluginId} ${version} is installed; ${offered} is not newer.`;
    return new AppError('ALREADY_LATEST', { what });
  }

  #wordingFor(id: string, viewer: Viewer): Wording {
    const { locale = null } = viewer;
    return { locale, places: this.#parts.placesOf(id, locale) };
  }

  async #place(
    offer: Offer,
    archive: OpenedArchive,
    { id, granted, libraries: reach }: InstallOrder,
    { viewer, alongside }: { readonly viewer: Viewer; readonly alongside: Alongside },
  ): Promise<Installed> {
    const source = offer.source.id;
    if (granted === undefined && reach !== undefined)
      throw new AppError('invalid_request', {
        what: 'libraries is valid only with granted: send granted as well.',
      });
    const options = granted === undefined ? {} : { granted, reach };
    const fresh: Alongside = async (trx) => {
      await forgetRolledBack(trx, id, archive.manifest.version);
      await alongside(trx);
    };
    const outcome = await this.#parts.installs.place(archive, {
      source,
      alongside: fresh,
      ...options,
    });
    return resultOf(outcome, {
      version: archive.manifest.version,
      ...this.#wordingFor(id, viewer),
    });
  }

  /** The package, downloaded from the source or a mirror, and verified. */
  async #fetched(
    offer: Offer,
    version: IndexVersion,
    keyFault: (key: string, rotations: readonly KeyRotation[]) => Promise<string | null>,
  ): Promise<OpenedArchive> {
    const { id } = offer.plugin;
    // The first rotation of a key counts: a replaced key cannot sign another one.
    const rotations = [...this.#parts.memory.rotations(), ...(offer.source.index.rotations ?? [])];
    const { sha256 } = version;
    const bytes = await this.#download(offer, version);
    const opened = await openArchive(bytes, {
      reader: this.#parts.reader,
      sha256,
      keyFault: async (_id, key) =>
        (await keyFault(key, rotations)) ??
        (await departedFault({ publisherKey: key, sha256 }, rotations)),
    });
    if (!opened.ok) throw new AppError(opened.code, { what: opened.message });
    const { archive } = opened;
    const { manifest, locales } = archive;
    if (manifest.id !== id || manifest.version !== version.version) {
      const what = `The package contains ${manifest.id} ${manifest.version}, but the source offers ${id} ${version.version}.`;
      throw new AppError('INVALID_MANIFEST', { what });
    }
    const differing = differingFacts(versionFacts(manifest, locales), version);
    if (differing.length > 0) {
      const what = `${id} ${version.version} does not match its entry in the source: its ${differing.join(', ')} differ.`;
      throw new AppError('INVALID_MANIFEST', { what });
    }
    return archive;
  }

  /** The package of an earlier version, whose code is not kept here. */
  async #fetchedAgain(id: string, wanted: EarlierVersion): Promise<OpenedArchive> {
    const { version, sha256, publisherKey } = wanted;
    const offering = offersWith(wanted, this.#offers(id));
    const [offer = offering[0]] = offering.filter(
      ({ source }) => !this.#parts.sources.isExpired(source),
    );
    const found = offer?.plugin.versions.find((one) => one.sha256 === sha256);
    if (!offer || !found)
      throw notFound(`The code of ${id} ${version} is not kept here, and no source offers it.`);
    if (this.#parts.sources.isExpired(offer.source)) throw expired(id, offer.source);
    return this.#fetched(offer, found, async (key) =>
      key === publisherKey ? null : `The package is signed with ${key}, not with ${publisherKey}.`,
    );
  }

  readonly #nextOf = (id: string): string | null =>
    this.#parts.installs.earlier(id).find(({ isNext, revoked }) => isNext && revoked === null)
      ?.version ?? null;

  async #download({ source }: Offer, version: IndexVersion): Promise<Uint8Array> {
    let problem = '';
    let isLonger = false;
    for (const home of [source.url, ...source.mirrors]) {
      try {
        const url = new URL(version.url, home).href;
        const maxBytes = Math.min(version.size, longestPackage);
        const reply = await this.#parts.fetch({ url, home, maxBytes, timeoutMs });
        if (reply.status === 200) return reply.body;
        problem = `${new URL(url).host} replied with status ${reply.status}.`;
      } catch (error) {
        if (!(error instanceof KernelError || error instanceof TypeError)) throw error;
        this.#parts.log.info({ err: error }, 'A package could not be downloaded.');
        isLonger ||= error instanceof KernelError && error.code === 'too_large';
        problem = error instanceof KernelError ? error.message : 'Its address is not valid.';
      }
    }
    if (isLonger)
      throw new AppError('SHA256_MISMATCH', {
        what: `The package is longer than the ${version.size} bytes that the source promised.`,
      });
    throw new AppError('DOWNLOAD_FAILED', { what: `The package was not downloaded. ${problem}` });
  }

  #pick(found: readonly Offer[], { id, source }: InstallOrder): Offer {
    const named = source === undefined ? found : found.filter((one) => one.source.id === source);
    const [first] = named;
    if (!first) throw notFound(`No source offers the plugin ${id}.`);
    // A source with an expired index counts too: else a host that withholds an index picks the other.
    if (named.every(({ plugin }) => plugin.publisherKey === first.plugin.publisherKey)) {
      const current = named.find((one) => !this.#parts.sources.isExpired(one.source));
      if (current) return current;
      throw expired(id, first.source);
    }
    const names = named.map((one) => one.source.index.name).join(', ');
    throw new AppError('conflict', {
      what: `Several publishers offer ${id} (${names}): choose one with source.`,
    });
  }

  async #versionOf(offer: Offer, { id, version: wanted }: InstallOrder): Promise<IndexVersion> {
    const { database, serverVersion } = this.#parts;
    const { plugin } = offer;
    const takenBack = await listRolledBack(database.read);
    const newest = [...plugin.versions].sort((a, b) => byVersion(a.version, b.version))[0];
    const found =
      wanted === undefined
        ? latestOf(offer, { serverVersion, revokedBy: this.#revokedBy, takenBack })
        : plugin.versions.find(({ version }) => version === wanted);
    if (!found && wanted !== undefined) throw notFound(`No source offers ${id} ${wanted}.`);
    if (!found) {
      const reason = newest ? this.#revokedBy(offer, newest) : null;
      if (reason !== null) throw new AppError('REVOKED', { what: `${id}: ${reason}` });
      const what = `${id} needs server version ${newest?.minVersion ?? ''}; this server has ${serverVersion}.`;
      throw new AppError('INCOMPATIBLE_VERSION', { what });
    }
    const reason = this.#revokedBy(offer, found);
    if (reason !== null) throw new AppError('REVOKED', { what: `${id}: ${reason}` });
    if (!runsOn(found.minVersion, serverVersion)) {
      const what = `${id} ${found.version} needs server version ${found.minVersion}; this server has ${serverVersion}.`;
      throw new AppError('INCOMPATIBLE_VERSION', { what });
    }
    return found;
  }

  readonly #originOf = ({ source }: Pick<JudgedPackage, 'source'>): OpenSource | undefined =>
    this.#parts.sources.all().find(({ id }) => id === source);

  readonly #verdictIn = (judged: JudgedPackage, locale: string | null): string | null =>
    verdictOn(this.#parts.memory.revocations(), judged, this.#originOf(judged), locale);

  readonly #verdict: Verdict = (judged) => this.#verdictIn(judged, null);

  readonly #revokedBy = (
    { source, plugin }: Offer,
    { version, sha256 }: Pick<IndexVersion, 'version' | 'sha256'>,
    locale: string | null = null,
  ): string | null => {
    const { id: pluginId, publisherKey } = plugin;
    const named = { pluginId, version, sha256, publisherKey };
    return this.#verdictIn({ ...named, source: source.id, revoked: null }, locale);
  };

  /** Checks the installed versions, and those for a rollback, against the revocations. */
  async #judge(): Promise<void> {
    const { installs, memory } = this.#parts;
    const installed = installs
      .records()
      .flatMap((record) => [record, ...record.earlier.map((one) => ({ ...record, ...one }))]);
    const said = installed.flatMap((one) =>
      ofPackageItself(memory.revocations(), one, this.#originOf(one)),
    );
    await memory.add(said);
    await installs.judge();
  }

  readonly open: Marketplace['open'] = async () => {
    await this.#parts.sources.open();
    this.#parts.installs.setRevocationRule(this.#verdict);
  };

  readonly onRemoteChange: Marketplace['onRemoteChange'] = async () => {
    await this.#parts.sources.open();
    await this.#parts.installs.judge();
  };

  readonly list: Marketplace['list'] = async (query, locale = null) => ({
    ...listOffers(
      {
        takenBack: await listRolledBack(this.#parts.database.read),
        exists: this.#parts.exists,
        sources: this.#parts.sources.all,
        record: this.#parts.installs.find,
        next: this.#nextOf,
        asksMore: this.#parts.installs.asksMore,
        serverVersion: this.#parts.serverVersion,
        hasExpired: this.#parts.sources.isExpired,
        revokedBy: (offer, version) => this.#revokedBy(offer, version, locale),
        verdict: (installed) => this.#verdictIn(installed, locale),
        locale,
      },
      query,
    ),
    sources: this.#parts.sources.list(),
  });

  readonly whyRevoked: Marketplace['whyRevoked'] = (id, locale) => {
    const record = this.#parts.installs.find(id);
    return record ? this.#verdictIn(record, locale) : null;
  };

  readonly rollBack: Marketplace['rollBack'] = async ({ id, version }, viewer) => {
    const record = this.#parts.installs.find(id);
    if (!record) throw notFound(`Plugin ${id} was not installed from a marketplace.`);
    const from = record.version;
    const outcome = await this.#parts.installs.rollBack(id, {
      version,
      fetch: (wanted) => this.#fetchedAgain(id, wanted),
      alongside: (to) => this.#noted(viewer, 'rolled_back', id, { from, to: to.version }),
    });
    return resultOf(outcome, { version: from, ...this.#wordingFor(id, viewer) });
  };

  readonly earlier: Marketplace['earlier'] = (id, locale = null) => {
    if (!this.#parts.installs.find(id) && !this.#parts.exists(id))
      throw new KernelError('not_found', `Plugin ${id}`);
    return shownEarlier(this.#parts.installs, id, (one) => this.#verdictIn(one, locale));
  };

  readonly uninstall: Marketplace['uninstall'] = async (id, viewer) => {
    const details = { version: this.#parts.installs.find(id)?.version ?? null };
    const note = this.#noted(viewer, 'uninstalled', id, details);
    await this.#parts.installs.remove(id, async (trx) => {
      await forgetRolledBack(trx, id);
      await this.#parts.removed?.(trx, id);
      await note(trx);
    });
  };

  readonly askedBy: Marketplace['askedBy'] = (id, version) => {
    const found = this.#offers(id)
      .flatMap(({ plugin }) => plugin.versions)
      .find((one) => one.version === version);
    if (!found) throw notFound(`No source offers ${id} ${version}.`);
    const asked = this.#parts.reader.parsePermissions(found.permissions);
    if (!asked.ok) throw new AppError('INVALID_MANIFEST', { what: asked.faults.join(' ') });
    return asked.value;
  };

  readonly addSource: Marketplace['addSource'] = async (source, viewer) => {
    const added = await this.#parts.sources.add(source, viewer);
    await this.#judge();
    return added;
  };

  readonly refresh: Marketplace['refresh'] = async () => {
    await this.#parts.sources.refresh();
    await this.#judge();
    return this.#parts.sources.list();
  };
}

/** Creates it over the sources. */
export const createMarketplace = (parts: MarketplaceParts): Marketplace =>
  new SourceMarketplace(parts);

const expired = (id: string, { index }: OpenSource): AppError =>
  new AppError('INDEX_EXPIRED', {
    what: `${index.name} offers ${id}, but its index expired at ${index.expiresAt}: no plugin can be installed from it until its publisher signs it again.`,
  });

const notFound = (what: string): AppError => new AppError('NOT_FOUND', { what });

const detailsOf = ({ manifest, publisherKey, sha256 }: OpenedArchive) => ({
  version: manifest.version,
  publisherKey,
  sha256,
});

/** A newer index may offer what the known one does not. */
const isPerhapsPublished = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'ALREADY_LATEST' || error.code === 'NOT_FOUND');
