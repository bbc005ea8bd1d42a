/** Finds the disc that a file belongs to, and reads it once in a call. */
import type { FileReader, ProbeFile } from '../../../plugin-api/index.ts';
import type { FoundMedia } from '../media.ts';
import { isStream, openBluray } from './bluray.ts';
import { decodedName, folderOf, withDisc, type DiscParts, type ReadDisc } from './disc.ts';
import { isVob, openDvd } from './dvd.ts';

/** The media of a file, with what its disc says of it; without a disc the media itself. */
export type AddDisc = (
  file: ProbeFile,
  found: FoundMedia,
  reader: FileReader,
) => Promise<FoundMedia>;

/** `isFilm`: the longest title of a disc is the film. */
export function createDiscs(parts: DiscParts, { isFilm }: { readonly isFilm: boolean }): AddDisc {
  const discs = new Map<string, Promise<ReadDisc>>();

  function discOf(uri: string, name: string): Promise<ReadDisc> | undefined {
    const open = isVob(name) ? openDvd : isStream(uri) ? openBluray : undefined;
    if (open === undefined) return undefined;
    const folder = folderOf(uri);
    const known = discs.get(folder) ?? open(parts, folder);
    discs.set(folder, known);
    return known;
  }

  return async (file, found, reader) => {
    const name = decodedName(file.uri).toUpperCase();
    const disc = discOf(file.uri, name);
    if (disc === undefined) return found;
    try {
      const facts = await (await disc)({ uri: file.uri, size: file.size, name }, found, reader);
      return facts === undefined ? found : withDisc(found, facts, isFilm);
    } catch {
      const warning = 'The folder of the disc could not be read, so the file counts by itself.';
      return { ...found, warnings: [...(found.warnings ?? []), warning] };
    }
  };
}
