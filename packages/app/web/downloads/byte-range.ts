/** The header Range of a request (RFC 9110, section 14): one range of bytes, as players ask for it. */

/** Bytes from the first to the last, both of them included. */
export interface Bytes {
  readonly first: number;
  readonly last: number;
}

/**
 * What a request asks for of `size` bytes: a range, `all` without a range that can be read (several
 * ranges are answered as none), `none` for a range that begins after the end.
 */
export function askedBytes(header: string | null, size: number): Bytes | 'all' | 'none' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return 'all';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'none' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'all';
  return first >= size ? 'none' : { first, last };
}

/** What the header Content-Range of a reply says; `undefined` = nothing that can be read. */
export function saidBytes(header: string | null): (Bytes & { readonly size: number }) | undefined {
  const [, first, last, size] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? '') ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first), last: Number(last), size: Number(size) };
}
