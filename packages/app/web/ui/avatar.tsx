/** The first letter of a name, whole even where it is made of several code points. */
const initialOf = (name: string): string =>
  [...new Intl.Segmenter().segment(name)][0]?.segment.toUpperCase() ?? '?';

/** The picture of a profile, or its first letter. Pictures of other hosts are not loaded. */
export function Avatar({
  name,
  url,
  size = 28,
}: {
  readonly name: string;
  readonly url: string | null;
  readonly size?: number;
}) {
  return (
    <span
      class="avatar"
      style={{ width: `${size}px`, height: `${size}px`, fontSize: `${size / 2}px` }}
    >
      {url?.startsWith('/') === true ? (
        <img src={url} alt="" width={size} height={size} />
      ) : (
        <span aria-hidden="true">{initialOf(name)}</span>
      )}
    </span>
  );
}
