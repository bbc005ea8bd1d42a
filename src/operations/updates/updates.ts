/** Checks for newer versions. The server announces them and installs nothing. */
import type { Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import type { OperatorFetch } from '../../platform/net/index.ts';
import type { Notice } from '../../platform/notifications/index.ts';
import { joinTexts, quoted, say } from '../../platform/text.ts';
import { readRelease, ReleaseError, type Release } from './release.ts';
import { readState, saveState, type UpdateState } from './update-store.ts';
import type { UpdateChanges, UpdateStatus } from '../../contract/resources/operations/updates.ts';

export interface UpdatesParts {
  readonly database: Database;
  readonly currentVersion: string;
  /** The folder of channel files; `null` = no checks. */
  readonly url: string | null;
  /** The public key that releases are signed with. */
  readonly key: string | null;
  readonly fetch: OperatorFetch;
  /** Whether the first version comes after the second. */
  readonly isNewer: (version: string, than: string) => boolean;
  readonly notify: (notice: Notice) => void;
  readonly audit: RecordAudit;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const limits = { maxBytes: 128 * 1024, timeoutMs: 10_000 };
const notSet = 'There are no update checks: start the server with --update-url and --update-key.';

export class Updates {
  readonly #parts: UpdatesParts;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
  }

  #shown(state: UpdateState): UpdateStatus {
    const { isNewer, currentVersion } = this.#parts;
    const { release, channel, lastCheckedAt, lastError, suppressedVersion } = state;
    const suppressed = release !== null && release.version === suppressedVersion;
    const isAhead = release !== null && isNewer(release.version, currentVersion);
    return {
      currentVersion,
      currentReleasedAt: release?.version === currentVersion ? release.releasedAt : null,
      latestVersion: release?.version ?? null,
      releasedAt: release?.releasedAt ?? null,
      lastCheckedAt,
      lastError,
      channel,
      isUpdateAvailable: isAhead && !suppressed,
      suppressed,
      downloadUrl: release?.downloadUrl ?? null,
      notes: release?.notes ?? null,
    };
  }

  async #ask(channel: string): Promise<Release> {
    const { url, key, fetch } = this.#parts;
    if (url === null || key === null) throw new ReleaseError(notSet);
    const { status, body } = await fetch({
      method: 'GET',
      url: `${url.replace(/\/$/, '')}/${channel}.json`,
      headers: { accept: 'application/json' },
      ...limits,
    });
    if (status !== 200) throw new ReleaseError(`The update service answered with ${status}.`);
    return readRelease(parsed(body), { key, channel });
  }

  /** Stores the result unless the channel was changed meanwhile. */
  readonly #note = (channel: string, found: Partial<UpdateState>): Promise<UpdateState> =>
    this.#parts.database.write(async (trx) => {
      const before = await readState(trx);
      if (before.channel !== channel) return before;
      const isOlder = (found.release?.iat ?? 0) < (before.release?.iat ?? 0);
      const release = isOlder ? before.release : (found.release ?? before.release);
      const state = {
        ...before,
        ...found,
        release,
        lastCheckedAt: toTimestamp(this.#parts.clock.now()),
      };
      await saveState(trx, state);
      return state;
    });

  /** Checks now. A failure of the update service does not reject: it is in `lastError`. */
  readonly check = async (): Promise<UpdateStatus> => {
    const { database, log, notify, currentVersion } = this.#parts;
    const before = await readState(database.read);
    const { channel } = before;
    const found = await this.#ask(channel).then(
      (release) => ({ release, lastError: null }),
      (error: unknown) => {
        log.info({ err: error }, 'The request to the update service failed.');
        const isOurs = error instanceof ReleaseError;
        return { lastError: isOurs ? error.message : 'The update service could not be reached.' };
      },
    );
    const status = this.#shown(await this.#note(channel, found));
    if (status.isUpdateAvailable && status.latestVersion !== before.release?.version)
      notify({
        level: 'info',
        title: say('updates.vitrineAvailable', { version: status.latestVersion ?? '' }),
        message: joinTexts([
          say('updates.youHave', { currentVersion }),
          quoted(status.notes ?? ''),
        ]),
        source: 'updates',
      });
    return status;
  };

  readonly change = async (
    { channel, suppressed }: UpdateChanges,
    viewer: Viewer,
  ): Promise<UpdateStatus> => {
    const state = await this.#parts.database.write(async (trx) => {
      const before = await readState(trx);
      const isOther = channel !== undefined && channel !== before.channel;
      const after: UpdateState = isOther
        ? { ...before, channel, release: null, suppressedVersion: null, lastError: null }
        : before;
      const chosen =
        suppressed === undefined
          ? after
          : { ...after, suppressedVersion: suppressed ? (after.release?.version ?? null) : null };
      await saveState(trx, chosen);
      const { suppressedVersion } = chosen;
      const details = { channel: chosen.channel, suppressedVersion };
      const change = { before, after: chosen };
      await this.#parts.audit(trx, {
        actor: viewer,
        action: 'updates.changed',
        target: null,
        details,
        change,
      });
      return chosen;
    });
    return this.#shown(state);
  };

  readonly status = async (): Promise<UpdateStatus> =>
    this.#shown(await readState(this.#parts.database.read));
}

export const createUpdates = (parts: UpdatesParts): Updates => new Updates(parts);

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new ReleaseError('The channel file is not JSON.');
  }
}
