/** Keys and fingers that turn pages. Left and right are those of the screen, also in a manga. */
import { useEffect, useRef } from 'preact/hooks';

/** What a reader does. */
export interface Turning {
  readonly forward: () => void;
  readonly back: () => void;
  readonly first: () => void;
  readonly last: () => void;
  readonly leave: () => void;
  readonly isRightToLeft: boolean;
}

/** Pixels that a finger moves to turn a page. */
const swipePixels = 50;

/** What the person does beyond the keys of the window. */
export interface Hands {
  /** Handlers for the fingers on the page. */
  readonly fingers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
  };
  /** A key that was pressed in a frame. */
  readonly press: (key: string) => void;
  /** Turns to the page on that side of the screen. */
  readonly side: (isRight: boolean) => void;
}

/** Follows the keys of the window; gives handlers for the rest. */
export function useTurning(turning: Turning): Hands {
  const now = useRef(turning);
  now.current = turning;
  const from = useRef<number | null>(null);
  const side = (isRight: boolean): void => {
    const { isRightToLeft, forward, back } = now.current;
    if (isRight === isRightToLeft) back();
    else forward();
  };
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => side(true),
    ArrowLeft: () => side(false),
    PageDown: () => now.current.forward(),
    PageUp: () => now.current.back(),
    ' ': () => now.current.forward(),
    Home: () => now.current.first(),
    End: () => now.current.last(),
    Escape: () => now.current.leave(),
  };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const act = actions[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      const inside = event.target instanceof Element ? event.target : null;
      if (inside?.closest('dialog, input') != null) return;
      if (event.key === ' ' && inside?.closest('button, a') != null) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    addEventListener('keydown', hear, { capture: true });
    return () => removeEventListener('keydown', hear, { capture: true });
  }, []);
  return {
    fingers: {
      onPointerDown: ({ pointerType, clientX }) =>
        void (from.current = pointerType === 'touch' ? clientX : null),
      onPointerUp: ({ clientX }) => {
        const moved = from.current === null ? 0 : clientX - from.current;
        from.current = null;
        if (Math.abs(moved) > swipePixels) side(moved < 0);
      },
    },
    press: (key) => actions[key]?.(),
    side,
  };
}
