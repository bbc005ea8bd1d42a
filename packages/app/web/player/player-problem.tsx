import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { findMessage, t } from '../core/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';
import { errorText } from '../ui/words.ts';
import type { Player } from './player-state.ts';
import type { Problem } from './problems.ts';
import { call } from '../core/api.ts';
import { Button } from '../ui/button.tsx';

/** Words for reasons of docs/playback.md. */
export const reasonTexts = (reasons: readonly string[]): readonly string[] =>
  reasons.flatMap((reason) => findMessage(`reason.${reason}`) ?? []);

/** Counts down to the next try. */
function NextTry({ seconds, player }: { readonly seconds: number; readonly player: Player }) {
  const left = useSignal(seconds);
  useEffect(() => {
    const timer = setInterval(() => {
      left.value -= 1;
      if (left.value > 0) return;
      clearInterval(timer);
      void player.again();
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="timer" aria-live="off">
      {t('player.tries_again', { seconds: left.value })}
    </p>
  );
}

/** Why nothing plays, with the ways out. */
export function PlayerProblem({
  player,
  problem: { error, reasons, waysOut, retryAfter },
}: {
  readonly player: Player;
  readonly problem: Problem;
}) {
  const index = player.partIndex.value;
  const fileId = player.parts.value[index]?.fileId;
  const name = player.item.value?.files.find(({ id }) => id === fileId)?.filename;
  // The heading of the page is the title, and where there is none it is what is wrong.
  const Reason = player.item.value === null ? 'h1' : 'p';
  return (
    <div class="player-problem" role="alert">
      <Icon name="warning" size={32} />
      <Reason>{errorText(error)}</Reason>
      {reasonTexts(reasons).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {retryAfter !== undefined && <NextTry seconds={retryAfter} player={player} />}
      <p class="buttons">
        {waysOut.includes('convert') && (
          <Button kind="primary" act={() => player.again('convert')}>
            {t('player.convert')}
          </Button>
        )}
        {waysOut.includes('retry') && (
          <Button act={() => player.again()}>{t('action.retry')}</Button>
        )}
        {waysOut.includes('elsewhere') && fileId !== undefined && (
          <Button act={() => attempt(() => openElsewhere(fileId, player.item.peek()?.title ?? ''))}>
            <Icon name="external" />
            {t('player.elsewhere')}
          </Button>
        )}
        {waysOut.includes('download') && fileId !== undefined && (
          <a class="button" href={`/api/files/${fileId}/stream`} download={name ?? ''}>
            <Icon name="download" />
            {t('action.download')}
          </a>
        )}
      </p>
    </div>
  );
}

/** The list that a player opens: one file, which an address with a signature gives for some hours. */
const playlistOf = (title: string, url: string): string =>
  `#EXTM3U\n#EXTINF:-1,${title.replaceAll(/\s+/g, ' ').trim()}\n${url}\n`;

/** Makes an address that needs no session, and saves it as a list that players open. */
async function openElsewhere(fileId: string, title: string): Promise<void> {
  const link = await call('post', '/api/files/{id}/link', { path: { id: fileId }, body: {} });
  const text = playlistOf(title, new URL(link.url, location.origin).href);
  const address = URL.createObjectURL(new Blob([text], { type: 'audio/x-mpegurl' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = `${title.replaceAll(/[/\\:*?"<>|]/g, ' ').trim() || 'play'}.m3u`;
  anchor.click();
  URL.revokeObjectURL(address);
}
