/** The pictures that are shown, by how their first bytes look: what a host says of them is only a claim. */
const signatures: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
];

/** The type of a picture, or `null` for what is none, or one that could carry a script. */
export function pictureType(body: Uint8Array): string | null {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 16)).toString(
    'latin1',
  );
  return signatures.find(([, offset, bytes]) => start.startsWith(bytes, offset))?.[0] ?? null;
}
