import type { Identification } from '../../../plugin-api/index.ts';

/** What a name said, each key with the type that it has when it is there. */
export interface Said {
  readonly text: (key: string) => string | undefined;
  readonly number: (key: string) => number | undefined;
}

/** Reads the metadata that a name gave. */
export function saidBy({ metadata }: Identification): Said {
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
