/** The loudness of this browser, the same for films and music. */
import { effect, signal } from '@preact/signals';

const key = 'volume';

function kept(): number {
  const text = localStorage.getItem(key);
  const value = text === null ? 1 : Number(text);
  return value >= 0 && value <= 1 ? value : 1;
}

/** 0 to 1. */
export const volume = signal(kept());
export const isMuted = signal(false);

/** Sets it; a sound that was muted is heard again. */
export function setVolume(wanted: number): void {
  volume.value = Math.min(1, Math.max(0, wanted));
  isMuted.value = false;
  localStorage.setItem(key, String(volume.value));
}

/** How much a gain in decibels changes the volume of an element. */
export const factorOf = (decibels: number): number => 10 ** (decibels / 20);

/**
 * Keeps elements as loud as the setting; returns how to stop. `decibels` brings titles to the same
 * loudness. An element is never louder than its own sound.
 */
export const followVolume = (
  elements: readonly HTMLMediaElement[],
  decibels: () => number = () => 0,
): (() => void) =>
  effect(() => {
    const wanted = Math.min(1, volume.value * factorOf(decibels()));
    for (const element of elements) {
      element.volume = wanted;
      element.muted = isMuted.value;
    }
  });
