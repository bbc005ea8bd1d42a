import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../core/messages.ts';
import { IconButton } from './button.tsx';
import { Tile, shapeOf, type TileData } from './tile.tsx';

interface RowProps {
  readonly title: string;
  readonly href?: string | undefined;
  readonly children: ComponentChildren;
}

/** A row that scrolls sideways, with its heading, and buttons where it is wider than the page. */
export function Row({ title, href, children }: RowProps) {
  const track = useRef<HTMLDivElement>(null);
  const isWide = useSignal(false);
  useEffect(() => {
    const element = track.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      isWide.value = element.scrollWidth > element.clientWidth;
    });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [children]);
  const move = (pages: number) => () => {
    const element = track.current;
    const side = document.documentElement.dir === 'rtl' ? -1 : 1;
    element?.scrollBy({ left: element.clientWidth * 0.9 * pages * side, behavior: 'smooth' });
  };
  return (
    <section class="row">
      <header>
        <h2>{href === undefined ? title : <a href={href}>{title}</a>}</h2>
        <span class="row-buttons" hidden={!isWide.value}>
          <IconButton icon="left" label={t('action.scrollBack', { title })} onClick={move(-1)} />
          <IconButton icon="right" label={t('action.scrollOn', { title })} onClick={move(1)} />
        </span>
      </header>
      <div class="track" ref={track}>
        {children}
      </div>
    </section>
  );
}

/** A row of tiles of one shape. */
export function TileRow({
  id,
  title,
  href,
  tiles,
  isEager = false,
}: {
  readonly id: string;
  readonly title: string;
  readonly href?: string | undefined;
  readonly tiles: readonly TileData[];
  readonly isEager?: boolean;
}) {
  const [first] = tiles;
  if (first === undefined) return null;
  const shape = tiles.every(({ type }) => shapeOf(type) === 'square') ? 'square' : 'portrait';
  return (
    <Row title={title} href={href}>
      {tiles.map((tile, at) => (
        <Tile
          key={tile.id}
          tile={tile}
          shape={shape}
          id={`${id}-${tile.id}`}
          isEager={isEager && at < 8}
        />
      ))}
    </Row>
  );
}
