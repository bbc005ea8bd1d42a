import { computed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import type { TileList } from '../core/tile-list.ts';
import { Problem } from './states.tsx';
import { Tile, type TileData } from './tile.tsx';

interface Measures {
  readonly columns: number;
  readonly rowHeight: number;
  readonly top: number;
}

/** The share of the window's height above and below it that is drawn too. More would be more nodes. */
const spareShare = 0.1;
/** Rows above and below what is drawn whose titles are read, so that none comes late. */
const rowsAhead = 2;

/** The height of a picture by its width; a line has no more than its words. */
const ratios = { portrait: 1.5, square: 1, landscape: 0.5625, photo: 1, line: 0 } as const;

/** So much of the window's top may be covered by bars: a jump ends below. */
const coveredPixels = 150;

/** What the last grid of a shape measured: the next one begins with it, and is drawn only once. */
const lastMeasures = new Map<string, Measures>();
const firstMeasures: Measures = { columns: 6, rowHeight: 300, top: 0 };

interface GridProps {
  readonly list: TileList<TileData>;
  /** `photo`: square, and the name of a tile is not drawn below it. `line`: one title in each row. */
  readonly shape: 'portrait' | 'square' | 'landscape' | 'photo' | 'line';
  /**
   * Gets the index of the first tile of all, or, as it scrolls, of the last one in the first row that the
   * bars do not cover.
   */
  readonly onTop?: (index: number) => void;
  /** Gets a function that scrolls to a tile. */
  readonly jump?: { current: ((index: number) => void) | null };
}

/**
 * A grid of any length of which only the rows in the window are in the document. Arrow keys move
 * between tiles, also to rows that are not drawn yet.
 */
export function TileGrid({ list, shape, onTop, jump }: GridProps) {
  const tileShape = shape === 'photo' || shape === 'line' ? 'square' : shape;
  const place = useRef<HTMLDivElement>(null);
  const measures = useSignal(lastMeasures.get(shape) ?? firstMeasures);
  const scrolled = useSignal(scrollY);
  const wantedFocus = useRef<number | null>(null);

  useLayoutEffect(() => {
    const measure = (): void => {
      const element = place.current;
      if (element === null) return;
      const style = getComputedStyle(element);
      const min = parseFloat(style.getPropertyValue('--tile')) * parseFloat(style.fontSize);
      const gap = parseFloat(style.columnGap);
      const width = element.clientWidth;
      const columns = shape === 'line' ? 1 : Math.max(2, Math.floor((width + gap) / (min + gap)));
      const tile = (width - gap * (columns - 1)) / columns;
      const ratio = ratios[shape];
      const words = parseFloat(style.getPropertyValue('--tile-words')) * parseFloat(style.fontSize);
      const now = {
        columns,
        rowHeight: Math.round(tile * ratio + words + parseFloat(style.rowGap)),
        top: element.getBoundingClientRect().top + scrollY,
      };
      const { columns: before, rowHeight, top } = measures.peek();
      if (before === columns && rowHeight === now.rowHeight && top === now.top) return;
      lastMeasures.set(shape, now);
      measures.value = now;
    };
    const follow = (): void => void (scrolled.value = scrollY);
    // To measure now is a layout of its own; the observer measures in that of the next frame.
    if (!lastMeasures.has(shape)) measure();
    const observer = new ResizeObserver(measure);
    if (place.current !== null) observer.observe(place.current);
    addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', follow);
    };
  }, [shape]);

  // Of this list: another one has a length of its own.
  const window_ = useMemo(
    () =>
      computed(() => {
        const { columns, rowHeight, top } = measures.value;
        const total = list.total.value ?? columns * 4;
        const rows = Math.ceil(total / columns);
        const firstRow = Math.floor((scrolled.value + coveredPixels + 8 - top) / rowHeight);
        const spare = innerHeight * spareShare;
        const rowAt = (y: number): number => (y - top) / rowHeight;
        const from = Math.max(0, Math.min(rows, Math.floor(rowAt(scrolled.value - spare))));
        const to = Math.min(rows, Math.ceil(rowAt(scrolled.value + innerHeight + spare)));
        return { from, to: Math.max(to, from), rows, total, columns, rowHeight, firstRow };
      }),
    [list],
  );
  const { from, to, rows, total, columns, rowHeight, firstRow } = window_.value;
  void list.version.value;

  useEffect(
    () => void list.ensure(Math.max(0, from - rowsAhead) * columns, (to + rowsAhead) * columns),
    [list, from, to, columns],
  );
  useEffect(
    () => onTop?.(firstRow <= 0 ? 0 : firstRow * columns + columns - 1),
    [firstRow, columns],
  );
  if (jump !== undefined)
    jump.current = (index) =>
      scrollTo({
        top: measures.peek().top - coveredPixels + Math.floor(index / columns) * rowHeight,
        behavior: 'instant',
      });

  useEffect(() => {
    const index = wantedFocus.current;
    if (index === null) return;
    const tile = document.getElementById(`tile-${index}`);
    if (tile === null) return;
    wantedFocus.current = null;
    tile.focus({ preventScroll: true });
    tile.scrollIntoView({ block: 'nearest' });
  });

  function onKeyDown(event: KeyboardEvent): void {
    const now = Number(document.activeElement?.id.replace('tile-', ''));
    if (!Number.isInteger(now)) return;
    const side = document.documentElement.dir === 'rtl' ? -1 : 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: side,
      ArrowLeft: -side,
      ArrowDown: columns,
      ArrowUp: -columns,
    };
    const step = steps[event.key];
    if (step === undefined || (step < 0 && now + step < 0)) return;
    if (step < 0 && Math.abs(step) === columns && now < columns) return;
    const index = Math.min(total - 1, now + step);
    event.preventDefault();
    event.stopPropagation();
    wantedFocus.current = index;
    const top = measures.peek().top + Math.floor(index / columns) * rowHeight;
    if (top < scrollY + 80) scrollTo({ top: top - 160, behavior: 'instant' });
    if (top + rowHeight > scrollY + innerHeight)
      scrollTo({ top: top + rowHeight - innerHeight + 24, behavior: 'instant' });
    scrolled.value = scrollY;
    void list.ensure(index, index + 1);
    document.getElementById(`tile-${index}`)?.focus({ preventScroll: true });
    if (document.activeElement?.id === `tile-${index}`) wantedFocus.current = null;
  }

  const indexes = Array.from(
    { length: Math.min(total, to * columns) - from * columns },
    (_, at) => from * columns + at,
  );
  return (
    <div
      class={`grid ${shape}`}
      ref={place}
      onKeyDown={onKeyDown}
      role="list"
      aria-label={t('grid.label', { count: total })}
    >
      {list.error.value !== undefined && (
        <Problem error={list.error.value} retry={() => void list.renew()} />
      )}
      <div style={{ height: `${rows * rowHeight}px` }}>
        <div
          class="grid-window"
          style={{
            transform: `translateY(${from * rowHeight}px)`,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
            gridAutoRows: `${rowHeight}px`,
          }}
        >
          {indexes.map((index) => {
            const tile = list.at(index);
            return (
              <div role="listitem" key={index} aria-setsize={total} aria-posinset={index + 1}>
                {tile === undefined ? (
                  <a
                    class={`tile ${tileShape} placeholder`}
                    id={`tile-${index}`}
                    role="link"
                    aria-disabled="true"
                    aria-label={t('state.loading')}
                    tabIndex={-1}
                  >
                    <span class="picture" />
                  </a>
                ) : (
                  <Tile tile={tile} shape={tileShape} id={`tile-${index}`} isEager={index < 12} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
