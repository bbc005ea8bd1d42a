import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { preload, useResource } from '../../core/resource.ts';
import { go, type PageProps } from '../../core/router.ts';
import { ControlButton } from '../../player/video/controls.tsx';
import { neighboursOf, type Neighbours } from '../../player/neighbours.ts';
import { isBehindWindow } from '../../ui/dialog.tsx';
import { PageReady } from '../../ui/page-ready.tsx';
import { pictureUrl } from '../../ui/tile.tsx';
import { useTitle } from '../../ui/title.ts';
import { filmOf, motionOf, type Motion } from '../parts/versions.ts';
import { dateOf, sizeOf } from '../../ui/words.ts';

type Item = Resources['ItemDetail'];

const topicsOf = (id: string): readonly string[] => [`item:${id}`];
const loadOf = (id: string) => () => call('get', '/api/items/{id}', { path: { id } });

/** Reads the photo before it is shown. */
export const prepare = ({ parameters: { id = '' } }: PageProps): Promise<void> =>
  preload(`item:${id}`, topicsOf(id), loadOf(id));

/** One photo as large as the window, with the ones before and after it. */
export default function PhotoPage({ parameters: { id = '' } }: PageProps) {
  const item = useResource(`item:${id}`, topicsOf(id), loadOf(id));
  useTitle(item.value.value?.item.title);
  return (
    <PageReady of={item}>
      {({ item: one }) => (
        <div class="lightbox">
          <Photo key={one.id} item={one} />
        </div>
      )}
    </PageReady>
  );
}

const assetOf = ({ assets }: Item): string | undefined =>
  (assets['photo'] ?? assets['thumbnail'] ?? assets['poster'])?.split('/').pop()?.split('?')[0];

/** What is known of a photo: when, with what, how large, where. */
function factsOf({ metadata, files }: Item): readonly string[] {
  const { takenAt, camera, lens, latitude, longitude } = metadata;
  const [file] = files;
  const streams = file?.fileInfo['streams'] as
    | readonly { readonly width?: number; readonly height?: number }[]
    | undefined;
  const { width, height } = streams?.[0] ?? {};
  return [
    typeof takenAt === 'string' ? dateOf(takenAt) : undefined,
    typeof camera === 'string' ? camera : undefined,
    typeof lens === 'string' ? lens : undefined,
    width !== undefined && height !== undefined ? `${width} × ${height}` : undefined,
    file === undefined ? undefined : sizeOf(file.size),
    typeof latitude === 'number' && typeof longitude === 'number'
      ? `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
      : undefined,
    file?.filename,
  ].filter((fact) => fact !== undefined);
}

/** The film inside of a photo: the last bytes of its file. */
function MotionFilm({ file, place, end }: Motion & { readonly end: () => void }) {
  const source = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    const last = place.offset + place.length - 1;
    const load = async (): Promise<void> => {
      const headers = { range: `bytes=${place.offset}-${last}` };
      const reply = await fetch(`/api/files/${file.id}/stream`, { headers, signal: stop.signal });
      if (reply.status !== 206) throw new Error(`The server sent ${reply.status}.`);
      const bytes = await reply.arrayBuffer();
      source.value = URL.createObjectURL(new Blob([bytes], { type: 'video/mp4' }));
    };
    load().catch(() => stop.signal.aborted || end());
    return () => {
      stop.abort();
      if (source.peek() !== undefined) URL.revokeObjectURL(source.peek() ?? '');
    };
  }, [file.id]);
  return <video src={source.value} autoplay controls playsInline onEnded={end} onError={end} />;
}

/** Pixels that a finger moves to turn to another photo. */
const swipePixels = 60;
const zooms = [1, 1.5, 2, 3, 4] as const;

function Photo({ item }: { readonly item: Item }) {
  const beside = useSignal<Neighbours>({ before: undefined, after: undefined });
  const zoom = useSignal(0);
  const hasFacts = useSignal(false);
  const isMoving = useSignal(false);
  const touched = useRef<number | null>(null);
  const asset = assetOf(item);
  const film = filmOf(item);
  const motion = film === undefined ? motionOf(item) : undefined;
  const canMove = film !== undefined || motion !== undefined;
  const leave = (): void => {
    if (history.length > 1) history.back();
    else void go(`/items/${item.id}`, { replace: true });
  };
  const turn = (to: string | undefined): void => {
    if (to !== undefined) void go(`/photos/${to}`, { replace: true });
  };
  /** The photo on a side: the one before it lies where lines begin. */
  const towards = (side: -1 | 1): string | undefined => {
    const { before, after } = beside.peek();
    const isMirrored = document.documentElement.dir === 'rtl';
    return (side === 1) === isMirrored ? before : after;
  };
  const scale = (by: number): void =>
    void (zoom.value = Math.min(zooms.length - 1, Math.max(0, zoom.value + by)));
  useEffect(() => {
    neighboursOf(item.libraryId, item.id).then(
      (found) => (beside.value = found),
      () => {},
    );
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => turn(towards(-1)),
      ArrowRight: () => turn(towards(1)),
      '+': () => scale(1),
      '-': () => scale(-1),
      i: () => (hasFacts.value = !hasFacts.peek()),
      p: () => (isMoving.value = canMove && !isMoving.peek()),
      Escape: leave,
    };
    const hear = (event: KeyboardEvent): void => {
      if (isBehindWindow()) return;
      const act = actions[event.key];
      const isZoomed = zoom.peek() > 0 && event.key.startsWith('Arrow');
      if (act === undefined || isZoomed || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', hear, { capture: true });
    return () => removeEventListener('keydown', hear, { capture: true });
  }, []);
  const { before, after } = beside.value;
  return (
    <>
      <div
        class={zoom.value > 0 ? 'lightbox-picture zoomed' : 'lightbox-picture'}
        onDblClick={() => (zoom.value = zoom.value > 0 ? 0 : 2)}
        onPointerDown={({ pointerType, clientX }) =>
          void (touched.current = pointerType === 'touch' && zoom.value === 0 ? clientX : null)
        }
        onPointerUp={({ clientX }) => {
          const moved = touched.current === null ? 0 : clientX - touched.current;
          touched.current = null;
          if (Math.abs(moved) > swipePixels) turn(towards(moved > 0 ? -1 : 1));
        }}
      >
        {film !== undefined && isMoving.value ? (
          // What the browser cannot show, the player has converted.
          <video
            src={`/api/files/${film.id}/stream`}
            poster={asset === undefined ? undefined : pictureUrl(asset, 1920)}
            autoplay
            controls
            playsInline
            onEnded={() => (isMoving.value = false)}
            onError={() => void go(`/watch/${item.id}?file=${film.id}`)}
          />
        ) : motion !== undefined && isMoving.value ? (
          <MotionFilm {...motion} end={() => (isMoving.value = false)} />
        ) : asset !== undefined ? (
          <img
            src={zoom.value > 0 ? `/api/assets/${asset}` : pictureUrl(asset, 1920)}
            alt={item.title}
            style={zoom.value > 0 ? { width: `${(zooms[zoom.value] ?? 1) * 100}%` } : undefined}
            draggable={false}
          />
        ) : null}
      </div>
      {after !== undefined && <Preload id={after} />}
      <header class="lightbox-bar">
        <ControlButton icon="left" label={t('player.back')} press={leave} />
        <h1>
          <bdi>{item.title}</bdi>
        </h1>
        {canMove && (
          <ControlButton
            icon={isMoving.value ? 'pause' : 'play'}
            label={t('photo.film')}
            isPressed={isMoving.value}
            press={() => (isMoving.value = !isMoving.value)}
          />
        )}
        <ControlButton icon="zoomOut" label={t('photo.zoomOut')} press={() => scale(-1)} />
        <ControlButton icon="zoomIn" label={t('photo.zoomIn')} press={() => scale(1)} />
        <ControlButton
          icon="info"
          label={t('photo.facts')}
          isPressed={hasFacts.value}
          press={() => (hasFacts.value = !hasFacts.value)}
        />
      </header>
      {before !== undefined && (
        <span class="lightbox-before">
          <ControlButton icon="left" label={t('photo.before')} press={() => turn(before)} />
        </span>
      )}
      {after !== undefined && (
        <span class="lightbox-after">
          <ControlButton icon="right" label={t('photo.after')} press={() => turn(after)} />
        </span>
      )}
      {hasFacts.value && (
        <ul class="lightbox-facts">
          {factsOf(item).map((fact) => (
            <li key={fact}>
              <bdi>{fact}</bdi>
            </li>
          ))}
          <li>
            <a href={`/items/${item.id}`}>{t('photo.page')}</a>
          </li>
        </ul>
      )}
    </>
  );
}

/** Reads the photo that is shown next. */
function Preload({ id }: { readonly id: string }) {
  const item = useResource(`item:${id}`, topicsOf(id), loadOf(id));
  const asset = item.value.value === undefined ? undefined : assetOf(item.value.value.item);
  return asset === undefined ? null : <img class="unseen" src={pictureUrl(asset, 1920)} alt="" />;
}
