import type { Undo } from './clock.ts';

/** Listeners of one kind of event, called synchronously one after the other. */
export interface Listeners<Value> {
  readonly add: (listener: (value: Value) => void) => Undo;
  readonly emit: (value: Value) => void;
}

/** Creates an empty list of listeners. */
export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (value) => {
      for (const listener of listeners) listener(value);
    },
  };
}
