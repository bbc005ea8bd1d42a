import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const afterMs = 3000;

/** Whether nobody moved or pressed anything for a while. */
export interface Idle {
  readonly isIdle: ReadonlySignal<boolean>;
  readonly wake: () => void;
  readonly toggle: () => void;
}

/** Hides controls after a while, if `may` allows it. A hidden control does not keep the focus. */
export function useIdle(root: RefObject<HTMLElement | null>, may: () => boolean): Idle {
  const isIdle = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rest = (): void => {
    if (!may()) {
      wake();
      return;
    }
    isIdle.value = true;
    const now = document.activeElement;
    if (now !== null && root.current?.contains(now) === true) root.current.focus();
  };
  const wake = (): void => {
    isIdle.value = false;
    clearTimeout(timer.current);
    timer.current = setTimeout(rest, afterMs);
  };
  useEffect(() => {
    wake();
    return () => clearTimeout(timer.current);
  }, []);
  return { isIdle, wake, toggle: () => (isIdle.value ? wake() : rest()) };
}
