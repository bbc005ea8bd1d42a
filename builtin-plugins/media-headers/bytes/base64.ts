const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64; other characters are skipped. */
export function bytesOfBase64(encoded: Uint8Array): Uint8Array {
  const values = new Int8Array(256).fill(-1);
  for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index;
  const bytes = new Uint8Array(Math.floor((encoded.length * 3) / 4));
  let length = 0;
  let held = 0;
  let bits = 0;
  for (const character of encoded) {
    const value = values[character] ?? -1;
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (held >> bits) & 0xff;
  }
  return bytes.subarray(0, length);
}
