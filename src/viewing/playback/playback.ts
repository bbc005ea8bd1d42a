import { toPlayback } from '../../library/catalogue/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { afterReport } from './play-state.ts';
import { createPlaybackLists, type PlaybackLists } from './playback-lists.ts';
import type { PlaybackParts } from './playback-parts.ts';
import { clearPlayback, findPlayback, savePlayback } from './playback-store.ts';
import { onTimeline, type Known } from './report.ts';
import { readCredits, readPrimaryFiles } from './timeline-store.ts';
import { timelineOf } from './timeline.ts';
import { createWatched, type Watched } from './watched.ts';
import type { ItemPlayback } from '../../contract/resources/library/catalogue.ts';
import type { PlaybackChange } from '../../contract/resources/viewing/playback.ts';

/** The playback states of the viewer's profile. */
export interface Playback extends PlaybackLists, Watched {
  readonly get: (itemId: string, viewer: Viewer) => Promise<ItemPlayback>;
  /** Keeps what a player reports, unless it was so before the state that is kept; gives that state. */
  readonly put: (itemId: string, change: PlaybackChange, viewer: Viewer) => Promise<ItemPlayback>;
  /**
   * Forgets the position. What was watched before is watched again; else it counts as not watched.
   * The count of plays and the time of the last one are kept.
   */
  readonly remove: (itemId: string, viewer: Viewer) => Promise<void>;
}

const neverPlayed: ItemPlayback = { completed: false, position: 0, duration: 0 };

/** Creates the states over the database. */
export function createPlayback(parts: PlaybackParts): Playback {
  const { database, access, events, now } = parts;
  const db = database.read;

  async function assertVisible(itemId: string, viewer: Viewer): Promise<void> {
    const seen = await access.filterVisible(viewer, [itemId]);
    if (!seen.has(itemId)) throw new AppError('not_found', { what: `Item ${itemId}` });
  }

  async function known(itemId: string, fileId: string | undefined): Promise<Known> {
    const { files, isAudiobook } = await readPrimaryFiles(db, itemId);
    const line = timelineOf(files, { fileId, isAudiobook });
    const last = line.parts.at(-1);
    if (fileId !== undefined && last === undefined)
      throw new AppError('invalid_request', {
        what: `body.fileId must be the id of a primary file of the item: ${fileId.slice(0, 100)} is not. Positions in extras are not kept.`,
      });
    return { line, credits: last === undefined ? [] : await readCredits(db, last.id), duration: 0 };
  }

  return {
    ...createPlaybackLists(parts),
    ...createWatched({ ...parts, assertVisible }),
    get: async (itemId, viewer) => {
      await assertVisible(itemId, viewer);
      const row = await findPlayback(db, viewer.profileId, itemId);
      return row ? toPlayback(row) : neverPlayed;
    },
    put: async (itemId, change, viewer) => {
      await assertVisible(itemId, viewer);
      const { profileId, userId } = viewer;
      const ofItem = await known(itemId, change.fileId);
      const { row, before } = await database.write(async (trx) => {
        const stored = await findPlayback(trx, profileId, itemId);
        const at = now() - Math.round((change.secondsAgo ?? 0) * 1000);
        const isLate = change.secondsAgo !== undefined;
        if (isLate && stored !== undefined && Number(stored.updated_at) > at)
          return { row: null, before: stored };
        const reported = onTimeline(change, { ...ofItem, duration: stored?.duration ?? 0 });
        const saved = {
          profile_id: profileId,
          user_id: userId,
          item_id: itemId,
          ...afterReport(stored, reported, at),
          updated_at: at,
        };
        await savePlayback(trx, saved);
        return { row: saved, before: stored };
      });
      if (row === null) return toPlayback(before);
      const state = toPlayback(row);
      const isFinished = state.completed && !(before?.completed ?? false);
      const type = isFinished ? 'playback.completed' : 'playback.progress';
      events.emit(type, { itemId, profileId, ...state });
      return state;
    },
    remove: async (itemId, viewer) => {
      await assertVisible(itemId, viewer);
      const { profileId } = viewer;
      const left = await database.write((trx) => clearPlayback(trx, profileId, itemId));
      if (left) events.emit('playback.removed', { itemId, profileId, ...toPlayback(left) });
    },
  };
}
