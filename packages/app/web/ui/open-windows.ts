import { signal } from '@preact/signals';

/** The windows over the page, the topmost last. Only the topmost can be used, and is read aloud. */
export const openWindows = signal<readonly HTMLDialogElement[]>([]);

/** Opens a window over all others, until the returned function is called. */
export function openWindow(element: HTMLDialogElement): () => void {
  element.showModal();
  openWindows.value = [...openWindows.peek(), element];
  return () => {
    openWindows.value = openWindows.peek().filter((one) => one !== element);
  };
}
