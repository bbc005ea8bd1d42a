/** Makes a square picture of a photo, in the browser, so that a camera's photo may be chosen. */
const edge = 320;

/** The picture as base64, as the server takes it; rejects if the file is not a picture. */
export async function smallPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [edge, edge];
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
  canvas.getContext('2d')?.drawImage(bitmap, left, top, side, side, 0, 0, edge, edge);
  bitmap.close();
  const small = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/webp', 0.9));
  if (small === null) throw new Error('The picture could not be made smaller.');
  return base64Of(new Uint8Array(await small.arrayBuffer()));
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
