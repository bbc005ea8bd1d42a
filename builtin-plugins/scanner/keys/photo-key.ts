import { keyFrom } from './key-parts.ts';
import type { SplitPath } from './split-path.ts';

/** Formats in which phones and cameras write a picture, and the short film that they take with it. */
const paired = /\.(?:jpe?g|hei[cf]|hif|mov|mp4)$/i;

/**
 * A picture and the film with its name (a live photo) are one item. Names with a film and without
 * one have keys of the same form, since a key is made from one path only.
 */
export function photoKey({ path, folders, stem }: SplitPath): string {
  return paired.test(path) ? keyFrom('photo', folders.join('/'), stem) : `file|${path}`;
}
