import { useErrorBoundary } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { attempt, say } from '../ui/toast.tsx';
import { ActionButton } from './action-button.tsx';
import { PieceForm } from './form.tsx';
import { hidePiece, pieceName, showPieces } from './hidden-pieces.ts';
import { Metadata } from './metadata.tsx';
import { pluginPage, type Piece } from './piece.ts';
import type { ViewPlace } from './run-action.ts';

interface PieceBoxProps extends ViewPlace {
  readonly piece: Piece;
  readonly pluginName: string;
  /** Whether a form or metadata is only named, with a link to the page of the plugin. */
  readonly isEntry?: boolean;
}

/** One piece in its box: its title, who it is from, and how to hide it. */
export function PieceBox({ piece, pluginName, isEntry = false, ...place }: PieceBoxProps) {
  const [error] = useErrorBoundary() as [unknown, () => void];
  const { title, type } = piece;
  const name = pieceName(piece);
  const hide = (): void =>
    void attempt(async () => {
      await hidePiece(name);
      say(
        t('piece.hidden', { title: title.slice(0, 80) }),
        () => void attempt(() => showPieces(name)),
      );
    });
  return (
    <section class={`piece ${isEntry ? 'action' : type}`} aria-label={title.slice(0, 80)}>
      {type !== 'action' && !isEntry && (
        <h3>
          <bdi>{title}</bdi>
        </h3>
      )}
      {error !== undefined ? (
        <p>{t('piece.broken')}</p>
      ) : isEntry && type !== 'action' ? (
        <a class="button" href={pluginPage(piece)}>
          <Icon name="plugin" />
          <bdi>{title}</bdi>
        </a>
      ) : (
        <Drawn piece={piece} pluginName={pluginName} {...place} />
      )}
      <footer>
        <small>{t('piece.from', { plugin: pluginName })}</small>
        <IconButton
          icon="eyeOff"
          size={16}
          label={t('piece.hide', { title: title.slice(0, 80) })}
          onClick={hide}
        />
      </footer>
    </section>
  );
}

function Drawn({ piece, ...rest }: PieceBoxProps) {
  switch (piece.type) {
    case 'action':
      return <ActionButton piece={piece} {...rest} />;
    case 'metadata':
      return <Metadata piece={piece} />;
    case 'form':
      return <PieceForm piece={piece} {...rest} />;
  }
}
