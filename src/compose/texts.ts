import path from 'node:path';
import { createDiskCache, type TextFetch } from '../platform/net/index.ts';
import { createEmbeddedTexts, createTextConversion, Texts } from '../viewing/streaming/index.ts';
import type { Kernel } from '../../kernel/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { MediaFiles } from './files.ts';
import type { Infrastructure } from './infrastructure.ts';

/** The limit of the disk cache of converted texts. */
const maxTextBytes = 256 * 1024 ** 2;

/** What text tracks are built from. */
export interface TextNeeds {
  readonly kernel: Kernel;
  readonly library: LibraryDomain;
  readonly files: MediaFiles;
  readonly fetchText: TextFetch;
}

/** Builds the access to text tracks of files and lyrics of items. */
export function composeTexts(
  { config, clock, log }: Infrastructure,
  { kernel, library, files: { filesystems }, fetchText }: TextNeeds,
): Texts {
  const folder = path.join(config.data, 'cache/texts');
  return new Texts({
    files: library.files,
    items: library.items,
    filesystems,
    givenTexts: library.givenTexts,
    fetchText,
    embedded: createEmbeddedTexts({
      call: kernel.call,
      providers: kernel.plugins.providers.allOf,
      capabilityConfigOf: kernel.plugins.registry.capabilityConfigOf,
    }),
    convert: createTextConversion({
      call: kernel.call,
      providers: kernel.plugins.providers.allOf,
      answersVersionOf: kernel.plugins.registry.answersVersionOf,
      cache: createDiskCache({ folder, maxBytes: maxTextBytes, log }),
      clock,
    }),
  });
}
