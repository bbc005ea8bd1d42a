/** The pieces of plugins that the profile does not want to see. */
import { computed } from '@preact/signals';
import { prefer, preferences } from '../core/session.ts';

const key = 'web.hiddenPieces';
/** A preference has room for so many. */
const most = 10;
const longest = 90;

/** Names of hidden pieces. */
export const hiddenPieces = computed(() => {
  const value: unknown = preferences.value[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
});

/** The name of a piece in the preference. */
export const pieceName = ({
  pluginId,
  id,
}: {
  readonly pluginId: string;
  readonly id: string;
}): string => `${pluginId} ${id}`.slice(0, longest);

/** Hides a piece; the one that was hidden first is shown again when there are too many. */
export const hidePiece = (name: string): Promise<void> =>
  prefer({ [key]: [...hiddenPieces.peek().filter((one) => one !== name), name].slice(-most) });

/** Shows a piece again; without a name, all of them. */
export const showPieces = (name?: string): Promise<void> =>
  prefer({
    [key]: name === undefined ? null : hiddenPieces.peek().filter((one) => one !== name),
  });
