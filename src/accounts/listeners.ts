import type { Undo } from '../clock.ts';

/** Those who want to hear of something, told at once and one after the other. */
export interface Listeners<Value> {
  readonly add: (listener: (value: Value) => void) => Undo;
  readonly tell: (value: Value) => void;
}

/** Creates an empty circle of listeners. */
export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (value) => {
      for (const listener of listeners) listener(value);
    },
  };
}
