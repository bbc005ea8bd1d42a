/** The scope of a plugin as text for people. */
import type { Narrowed, ReachedScope } from '../../../kernel/index.ts';
import { powerWords, type PowerWords } from '../../../kernel/run/powers/index.ts';
import { isBelow } from '../../files/filesystems/index.ts';
import { relativePath } from '../../library/catalogue/index.ts';
import type { PlacedLibrary } from './scope-check.ts';

/** `Films (only the folder Kids) and Shows`, in the language of the reader. */
export function scopeText(
  reach: Narrowed,
  libraries: readonly PlacedLibrary[],
  locale: string | null = null,
): string {
  const words = powerWords(locale);
  if (reach.length === 0) return words.noLibrary;
  return words.join(reach.map((one) => placeText(one, libraries, words)));
}

function placeText(
  { id, folders }: ReachedScope,
  libraries: readonly PlacedLibrary[],
  words: PowerWords,
): string {
  const library = libraries.find((one) => one.id === id);
  if (!library) return words.removedLibrary;
  return folders === undefined
    ? library.name
    : `${library.name} (${foldersText(folders, library, words)})`;
}

function foldersText(
  folders: readonly string[],
  { roots }: PlacedLibrary,
  words: PowerWords,
): string {
  const names = folders.map((folder) => {
    const root = roots.find((one) => isBelow(folder, one));
    return root === undefined || root === folder ? folder : relativePath(root, folder);
  });
  return words.onlyFolders(names);
}

/**
 * Why a scope would refuse a recorded call; `null` = it would not, as far as the record shows. The record
 * of a call on files has the root, the record of a call of `host.library` has the library.
 */
export function lackIn(
  reach: Narrowed,
  { call, subject }: { readonly call: string; readonly subject: string | null },
  {
    libraries,
    locale = null,
  }: {
    readonly libraries: readonly PlacedLibrary[];
    readonly locale?: string | null | undefined;
  },
): string | null {
  const words = powerWords(locale);
  if (subject === null) return null;
  const [service = ''] = call.split('.');
  const concerned = libraries.filter(({ id, roots }) => {
    if (service === 'library') return id === subject;
    const uri = service === 'disk' ? `file://${subject}` : subject;
    return (service === 'fs' || service === 'disk') && roots.some((root) => isBelow(uri, root));
  });
  const [first] = concerned;
  if (first === undefined) return null;
  const granted = reach.filter(({ id }) => concerned.some((library) => library.id === id));
  if (granted.some(({ folders }) => folders === undefined)) return null;
  const [part] = granted;
  if (part === undefined) return words.libraryNotGranted(first.name);
  if (call === 'library.get') return null;
  return words.onlyGranted(placeText(part, libraries, words));
}
