import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { Button } from '../../../ui/button.tsx';
import { Ready } from '../../../ui/states.tsx';
import { attempt } from '../../../ui/toast.tsx';
import { clockOf } from '../../../ui/words.ts';

type Session = Resources['PlaybackSessionSummary'];

/** How many sessions are shown. */
const most = 20;

const load = async () => {
  const [{ sessions }, { users }] = await Promise.all([
    call('get', '/api/playback/sessions', { query: { limit: most, includeHidden: true } }),
    call('get', '/api/users'),
  ]);
  const ids = [...new Set(sessions.map(({ itemId }) => itemId))];
  const titles = await Promise.all(ids.map(async (id) => [id, await titleOf(id)] as const));
  return {
    sessions,
    titles: new Map(titles),
    names: new Map(users.map(({ id, name }) => [id, name])),
  };
};

/** The title of an item; none, if it is gone or hidden from this profile. */
const titleOf = (id: string): Promise<string | null> =>
  call('get', '/api/items/{id}', { path: { id } }).then(
    ({ item }) => item.title,
    () => null,
  );

/** What everybody plays now; an admin can end it. */
export function Playing() {
  const playing = useResource('admin:playing', ['playback', 'transcode'], load);
  return (
    <section>
      <h2>{t('admin.playingNow')}</h2>
      <Ready of={playing}>
        {({ sessions, titles, names }) =>
          sessions.length === 0 ? (
            <p class="fine">{t('admin.playingNow.none')}</p>
          ) : (
            <ul class="lines">
              {sessions.map((session) => (
                <Line
                  key={session.id}
                  session={session}
                  title={titles.get(session.itemId) ?? t('admin.playingNow.hidden')}
                  user={names.get(session.userId) ?? ''}
                />
              ))}
            </ul>
          )
        }
      </Ready>
    </section>
  );
}

interface LineProps {
  readonly session: Session;
  readonly title: string;
  readonly user: string;
}

function Line({ session: { id, mode, state, position, duration }, title, user }: LineProps) {
  const end = (): void =>
    void attempt(
      async () => {
        await call('delete', '/api/playback/sessions/{id}', { path: { id } });
        invalidate((topic) => topic === 'playback');
      },
      t('admin.playingNow.ended', { title }),
    );
  return (
    <li>
      <span>
        <bdi>{title}</bdi> <bdi>{user}</bdi>
        <small>
          {[
            t(`admin.playingNow.${state}`),
            duration > 0 ? `${clockOf(position)} / ${clockOf(duration)}` : clockOf(position),
            t(`admin.playingNow.${mode}`),
          ].join(' · ')}
        </small>
      </span>
      <Button label={t('admin.playingNow.endName', { title, user })} onClick={end}>
        {t('admin.playingNow.end')}
      </Button>
    </li>
  );
}
