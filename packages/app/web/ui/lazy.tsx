/** Parts of pages that are loaded when they are drawn for the first time. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart } from '../core/part.ts';

/** The part that `load` gives; nothing is drawn until it is there. A load that failed is tried again when the part is drawn again. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = signal<ComponentType<Props> | null>(null);
  return function Lazy(props: Props) {
    useEffect(() => {
      if (part.peek() !== null) return;
      loadPart(load).then(
        (loaded) => (part.value = loaded),
        () => {},
      );
    }, []);
    const Part = part.value;
    return Part === null ? null : <Part {...props} />;
  };
}
