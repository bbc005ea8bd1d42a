/** https://listenbrainz.readthedocs.io/en/latest/users/api/core.html#post--1-submit-listens */
import type { Send } from './send.ts';

export const sendToListenBrainz: Send = async (listens, profile, host) => {
  const payload = listens.map(({ at, artist, track, album, seconds }) => ({
    listened_at: at,
    track_metadata: {
      artist_name: artist,
      track_name: track,
      ...(album !== null && { release_name: album }),
      additional_info: {
        media_player: 'Vitrine',
        submission_client: 'Vitrine Scrobbler',
        ...(seconds !== null && { duration: seconds }),
      },
    },
  }));
  const { status } = await host.net.fetch({
    url: 'https://api.listenbrainz.org/1/submit-listens',
    method: 'POST',
    headers: {
      authorization: `Token {secret:listenbrainzToken;profile=${profile}}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ listen_type: listens.length === 1 ? 'single' : 'import', payload }),
  });
  if (status === 200) return 'done';
  if (status === 401 || status === 403) return 'denied';
  return status === 400 ? 'refused' : 'later';
};
