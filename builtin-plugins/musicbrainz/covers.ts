/** Covers of the Cover Art Archive. */
import { isLater } from '../catalogue-lookup/ask.ts';
import { partOf, partsOf, type Part } from '../catalogue-lookup/values.ts';
import { mbidOf, type Catalogue } from './catalogue.ts';

/** Pixels of the wider side. */
const size = 1200;

/** The pictures of a release, by kind; the front of another release of the album in its place. */
export async function coversOf(
  release: Part,
  { askImages, imageBaseUrl }: Catalogue,
): Promise<Readonly<Record<string, string>>> {
  const id = mbidOf(release['id']);
  const { front, back } = partOf(release['cover-art-archive']);
  const at = (kind: string): string => `${imageBaseUrl}/release/${id}/${kind}-${size}`;
  const own = {
    ...(front === true && { cover: at('front') }),
    ...(back === true && { back: at('back') }),
  };
  if ('cover' in own) return own;
  const group = mbidOf(partOf(release['release-group'])['id']);
  if (group === undefined || !(await hasFront(group, askImages))) return own;
  return { ...own, cover: `${imageBaseUrl}/release-group/${group}/front-${size}` };
}

/** An archive that is away costs the cover, and not the names. */
async function hasFront(group: string, askImages: Catalogue['askImages']): Promise<boolean> {
  try {
    const { images } = partOf(await askImages(`/release-group/${group}`));
    return partsOf(images).some(({ front }) => front === true);
  } catch (error) {
    if (!isLater(error)) throw error;
    return false;
  }
}
