/** What an index says about a plugin as a whole, so that people can read it before a download. */
import type { Manifest } from '../../../plugin-api/index.ts';
import type { Locales } from '../locales/index.ts';
import type { IndexPlugin, IndexTexts } from './marketplace-index.ts';
import type { PackageFiles } from './tar.ts';

/** Longest README and list of changes in an index, in characters. */
export const longestPage = 16_000;

/** From the manifest and the texts of a package. Long texts are cut. */
export function pluginFacts({
  manifest,
  locales,
  files,
}: {
  readonly manifest: Manifest;
  readonly locales: Locales;
  readonly files: PackageFiles;
}): Omit<IndexPlugin, 'id' | 'publisherKey' | 'versions'> {
  const { name, description, author, license, homepage, repository } = manifest;
  const readme = pageIn(files, /^readme(\.md|\.txt)?$/i);
  const translations = translationsOf(locales);
  const changes = pageIn(files, /^(changelog|changes)(\.md|\.txt)?$/i);
  return {
    name,
    description,
    author,
    license,
    ...(homepage !== undefined && { homepage }),
    ...(repository !== undefined && { repository }),
    ...(readme !== null && { readme }),
    ...(changes !== null && { changes }),
    ...(Object.keys(translations).length > 0 && { translations }),
  };
}

/** Name and description by language; languages with neither are left out. */
const translationsOf = (locales: Locales): Readonly<Record<string, IndexTexts>> =>
  Object.fromEntries(
    [...locales].flatMap(([language, { name, description }]) =>
      name === undefined && description === undefined
        ? []
        : [
            [
              language,
              {
                ...(name !== undefined && { name }),
                ...(description !== undefined && { description }),
              },
            ],
          ],
    ),
  );

/** The text of the first file with such a name, in plain characters; `null` = there is none. */
function pageIn(files: PackageFiles, name: RegExp): string | null {
  const found = [...files.keys()].sort().find((file) => name.test(file));
  const text = new TextDecoder('utf-8').decode(files.get(found ?? '') ?? new Uint8Array());
  const plain = Array.from(text).filter(isPlain);
  if (plain.length === 0) return null;
  return plain.length <= longestPage
    ? plain.join('')
    : `${plain.slice(0, longestPage - 1).join('')}…`;
}

/** Tabs and line ends are plain; other control characters could affect a terminal. */
function isPlain(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 32 || (code >= 127 && code < 160);
  return !isControl || character === '\n' || character === '\t';
}
