import type { Viewer } from '../../people/viewer/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HomeRow, HomeView } from './home-row.ts';

/** The views of plugins, as home asks for them. */
export interface HomeViews {
  /** Whether any plugin gives rows. */
  readonly isAsked: (slot: 'ui.home.sections') => boolean;
  readonly collect: (
    viewer: Viewer,
    slot: string,
    context: string | undefined,
  ) => Promise<readonly HomeView[]>;
}

/** Home waits so long for plugins; what comes later is left out. */
const patienceMs = 250;

/** The rows of plugins, or null when not all have answered in time. It never rejects. */
export async function pluginRows(
  views: HomeViews,
  viewer: Viewer,
  clock: Pick<Clock, 'after'>,
): Promise<readonly HomeRow[] | null> {
  if (!views.isAsked('ui.home.sections')) return [];
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const undo = clock.after(patienceMs, () => resolve(null));
  const collected = views.collect(viewer, 'ui.home.sections', undefined).catch(() => null);
  const pieces = await Promise.race([collected, late]);
  undo();
  return (
    pieces?.map((piece) => ({
      id: `plugin:${piece.pluginId}:${piece.id}`,
      kind: 'plugin',
      title: piece.type === 'action' ? piece.label : piece.title,
      libraryId: null,
      tiles: [],
      view: piece,
    })) ?? null
  );
}
