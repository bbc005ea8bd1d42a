/** A file in a player of the device, such as VLC or mpv, which has no session of this browser. */
import { call } from '../core/api.ts';

/** The list that a player opens: one file, which an address with a signature gives for some hours. */
export const playlistOf = (title: string, url: string): string =>
  `#EXTM3U\n#EXTINF:-1,${title.replaceAll(/\s+/g, ' ').trim()}\n${url}\n`;

/** Makes an address that needs no session, and saves it as a list that players open. */
export async function openElsewhere(fileId: string, title: string): Promise<void> {
  const link = await call('post', '/api/files/{id}/link', { path: { id: fileId }, body: {} });
  const text = playlistOf(title, new URL(link.url, location.origin).href);
  const address = URL.createObjectURL(new Blob([text], { type: 'audio/x-mpegurl' }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = `${title.replaceAll(/[/\\:*?"<>|]/g, ' ').trim() || 'play'}.m3u`;
  anchor.click();
  URL.revokeObjectURL(address);
}
