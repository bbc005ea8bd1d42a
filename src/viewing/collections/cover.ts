/** The picture of a collection. */
export interface Cover {
  readonly url: string;
  readonly aspect?: string;
}

/** Types of pictures, the preferred one first. */
const preferred = ['poster', 'cover', 'thumbnail', 'backdrop'] as const;

/** The best picture of an item for a cover. */
export function coverOf(
  assets: Readonly<Record<string, string>>,
  aspects: Readonly<Record<string, string>>,
): Cover | undefined {
  const type = preferred.find((one) => assets[one] !== undefined);
  const url = type === undefined ? undefined : assets[type];
  if (type === undefined || url === undefined) return undefined;
  const aspect = aspects[type];
  return { url, ...(aspect !== undefined && { aspect }) };
}
