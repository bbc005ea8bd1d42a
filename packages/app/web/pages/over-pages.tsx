/** What opens over any page: the command palette, and the menu of a tile. Each is loaded at its first use. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart } from '../core/part.ts';
import { attempt } from '../ui/toast.tsx';

interface MenuProps {
  readonly id: string;
  readonly close: () => void;
}
type Opened = { readonly kind: 'palette' } | { readonly kind: 'menu'; readonly id: string };

const opened = signal<Opened | null>(null);
const palette = signal<ComponentType<{ readonly close: () => void }> | null>(null);
const menu = signal<ComponentType<MenuProps> | null>(null);

const close = (): void => void (opened.value = null);

/** The item of a tile below the pointer or the focus. */
function itemOf(target: EventTarget | null): string | undefined {
  const tile = target instanceof Element ? target.closest<HTMLAnchorElement>('a.tile') : null;
  return tile === null ? undefined : /^\/items\/([^/]+)$/.exec(tile.pathname)?.[1];
}

async function openPalette(): Promise<void> {
  palette.value ??= (await loadPart(() => import('./palette.tsx'))).default;
  opened.value = { kind: 'palette' };
}

async function openMenu(id: string): Promise<void> {
  menu.value ??= (await loadPart(() => import('./tile-menu.tsx'))).default;
  opened.value = { kind: 'menu', id };
}

/** Opens them: Ctrl+K or Cmd+K, and the secondary button, a long press or the menu key on a tile. */
export function OverPages() {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.shiftKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      void attempt(openPalette);
    };
    const point = (event: MouseEvent): void => {
      const id = event.shiftKey ? undefined : itemOf(event.target);
      if (id === undefined) return;
      event.preventDefault();
      void attempt(() => openMenu(id));
    };
    addEventListener('keydown', press);
    addEventListener('contextmenu', point);
    return () => {
      removeEventListener('keydown', press);
      removeEventListener('contextmenu', point);
    };
  }, []);
  const [now, Palette, Menu] = [opened.value, palette.value, menu.value];
  if (now?.kind === 'palette' && Palette !== null) return <Palette close={close} />;
  if (now?.kind === 'menu' && Menu !== null) return <Menu id={now.id} close={close} />;
  return null;
}
