import { t } from '../core/messages.ts';
import type { PageProps } from '../core/router.ts';
import { pieceName } from '../pieces/hidden-pieces.ts';
import { PieceBox } from '../pieces/piece-box.tsx';
import { usePieces, usePluginNames } from '../pieces/plugin-slot.tsx';
import { Empty } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';

const view = 'ui.shell';

/** The page of a plugin: all that it gives to the shell, and nothing of another plugin. */
export default function PluginPage({ parameters: { id = '' } }: PageProps) {
  const pieces = usePieces({ view, context: {} }).filter(({ pluginId }) => pluginId === id);
  const name = usePluginNames()(id);
  useTitle(name);
  return (
    <div class="page">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {pieces.length === 0 && <Empty title={t('piece.none')} />}
      <h2 class="unseen">{t('piece.more')}</h2>
      <div class="pieces">
        {pieces.map((piece) => (
          <PieceBox key={pieceName(piece)} {...{ piece, view, context: {} }} pluginName={name} />
        ))}
      </div>
    </div>
  );
}
