/** The supported images, by their first bytes: the type that a host states is not trusted. */
const signatures: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
];

/** The type of an image; `null` for other content, or for a type that could contain a script. */
export function pictureType(body: Uint8Array): string | null {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 16)).toString(
    'latin1',
  );
  return signatures.find(([, offset, bytes]) => start.startsWith(bytes, offset))?.[0] ?? null;
}
