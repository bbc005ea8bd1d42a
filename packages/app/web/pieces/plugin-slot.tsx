import { useSignal } from '@preact/signals';
import { call } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { useResource } from '../core/resource.ts';
import { isUser } from '../core/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { hiddenPieces, pieceName } from './hidden-pieces.ts';
import { parsePieces, type Piece } from './piece.ts';
import { PieceBox } from './piece-box.tsx';

/** The places of the app, with the slots of pieces that they show. */
const places = {
  'ui.item.detail.actions': ['detail-actions', 'header-actions'],
  'ui.item.detail.panels': ['detail-metadata', 'detail-sections'],
  'ui.library.header.actions': ['header-actions'],
  'ui.player.overlays': ['player-overlay'],
  'ui.home.sections': ['home-sections', 'hero-banner'],
  'ui.shell': ['sidebar-discover', 'sidebar-bottom', 'command-palette', 'routes'],
  'ui.settings.sections': ['settings-panes'],
} as const;

type View = keyof typeof places;

interface SlotProps {
  readonly view: View;
  readonly context: Readonly<Record<string, string>>;
}

const readNames = async (): Promise<ReadonlyMap<string, string>> =>
  new Map((await call('get', '/api/plugins')).plugins.map(({ id, name }) => [id, name]));

/** The name of a plugin, for people; its id if it is not known. */
export function usePluginNames(): (id: string) => string {
  const names = useResource('plugin-names', ['plugin'], readNames).value.value;
  return (id) => (names?.get(id) ?? id).slice(0, 80);
}

/** Guests run nothing of a plugin: an action is left out, and a form only shows its values. */
function forViewer(pieces: readonly Piece[]): readonly Piece[] {
  if (isUser.value) return pieces;
  return pieces.flatMap((piece) => {
    if (piece.type === 'action') return [];
    return piece.type === 'form' ? { ...piece, submit: undefined } : piece;
  });
}

/** The pieces of a view that the person wants to see; none until all plugins have answered. */
export function usePieces({ view, context }: SlotProps): readonly Piece[] {
  const text = JSON.stringify(context);
  const views = useResource(`view:${view}:${text}`, ['plugin'], async () =>
    parsePieces(
      await call('get', '/api/plugins/views/{slot}', {
        path: { slot: view },
        query: { context: text },
      }),
      places[view],
    ),
  );
  const hidden = hiddenPieces.value;
  return forViewer(views.value.value ?? []).filter((piece) => !hidden.includes(pieceName(piece)));
}

/** The pieces of a view one below the other, at the end of a page. */
export function PluginSlot({ view, context }: SlotProps) {
  const pieces = usePieces({ view, context });
  const nameOf = usePluginNames();
  if (pieces.length === 0) return null;
  return (
    <div class="pieces">
      {pieces.map((piece) => (
        <PieceBox
          key={pieceName(piece)}
          {...{ piece, view, context }}
          pluginName={nameOf(piece.pluginId)}
        />
      ))}
    </div>
  );
}

/** A button that opens the actions of a view, so that they do not move the page. */
export function PluginActions({ view, context }: SlotProps) {
  const pieces = usePieces({ view, context });
  const isOpen = useSignal(false);
  const nameOf = usePluginNames();
  if (pieces.length === 0) return null;
  return (
    <>
      <IconButton icon="plugin" label={t('piece.more')} act={() => (isOpen.value = true)} />
      {isOpen.value && (
        <Dialog title={t('piece.more')} onClose={() => (isOpen.value = false)}>
          <div class="pieces">
            {pieces.map((piece) => (
              <PieceBox
                key={pieceName(piece)}
                {...{ piece, view, context }}
                pluginName={nameOf(piece.pluginId)}
              />
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}

/**
 * The entries of one place beside the app's own. An action runs where it stands; what has more to show
 * leads to the page of its plugin.
 */
export function PluginEntries({ slot }: { readonly slot: 'sidebar-discover' | 'sidebar-bottom' }) {
  const pieces = usePieces({ view: 'ui.shell', context: {} }).filter((one) => one.slot === slot);
  const nameOf = usePluginNames();
  if (pieces.length === 0) return null;
  return (
    <section class="pieces" aria-label={t('piece.more')}>
      {pieces.map((piece) => (
        <PieceBox
          key={pieceName(piece)}
          {...{ piece, view: 'ui.shell', context: {} }}
          pluginName={nameOf(piece.pluginId)}
          isEntry
        />
      ))}
    </section>
  );
}

/** One piece that the server sent with a page. */
export function PluginPiece({ given, view }: { readonly given: unknown; readonly view: View }) {
  const nameOf = usePluginNames();
  const [piece] = forViewer(parsePieces([given], places[view]));
  if (piece === undefined || hiddenPieces.value.includes(pieceName(piece))) return null;
  return <PieceBox {...{ piece, view }} context={{}} pluginName={nameOf(piece.pluginId)} />;
}
