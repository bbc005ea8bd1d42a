import type { Identification } from '../../../plugin-api/index.ts';

/** The metadata from a name, each key with its type. */
export interface NameValues {
  readonly text: (key: string) => string | undefined;
  readonly number: (key: string) => number | undefined;
}

/** Reads the metadata from a name. */
export function nameValues({ metadata }: Identification): NameValues {
  return {
    text: (key) => {
      const value = metadata[key];
      return typeof value === 'string' ? value : undefined;
    },
    number: (key) => {
      const value = metadata[key];
      return typeof value === 'number' ? value : undefined;
    },
  };
}
