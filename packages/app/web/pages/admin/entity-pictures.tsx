import { call, type Resources } from '../../core/api.ts';
import { base64Of } from '../../core/file-text.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate } from '../../core/resource.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { SendForm } from '../../ui/send-form.tsx';
import { Opener } from '../../ui/opener.tsx';
import { pictureUrl } from '../../ui/tile.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { UploadField } from './picture-parts/upload-field.tsx';

type Entity = Resources['EntityDetail'];
type Tile = Resources['Tile'];

const idOf = (url: string): string => url.split('/').pop()?.split('?')[0] ?? '';
const kindOf = (type: string): string => findMessage(`picture.${type}`) ?? type;

/** Changes one picture of an entity; `null` removes it. */
const setPicture = (id: string, type: string, url: string | null): Promise<boolean> =>
  attempt(async () => {
    await call('patch', '/api/entities/{id}', { path: { id }, body: { assets: { [type]: url } } });
    invalidate((topic) => topic === `entity:${id}`);
  }, t('admin.item.saved'));

/** Sends a picture, which is shown at once. The undo shows what was there, and deletes the picture. */
async function upload({ id, assets }: Entity, type: string, file: File): Promise<void> {
  const path = { id };
  const changed = (): void => invalidate((topic) => topic === `entity:${id}`);
  let pictureId = '';
  const undo = (): Promise<boolean> =>
    attempt(async () => {
      const body = { assets: { [type]: assets[type] ?? null } };
      await call('patch', '/api/entities/{id}', { path, body });
      await call('delete', '/api/entities/{id}/pictures/{pictureId}', { path: { id, pictureId } });
      changed();
    });
  const isSent = await attempt(async () => {
    const body = { type, image: await base64Of(file) };
    ({ id: pictureId } = await call('post', '/api/entities/{id}/pictures', { path, body }));
    changed();
  });
  if (isSent) say(t('pictures.changed'), () => void undo());
}

/** The pictures of an entity: chosen from its titles, uploaded, given by an address, or removed. */
export function EntityPictures({
  entity,
  tiles,
}: {
  readonly entity: Entity;
  readonly tiles: readonly Tile[];
}) {
  const { id, name, type, assets } = entity;
  const main = ['person', 'artist'].includes(type)
    ? 'photo'
    : type === 'album'
      ? 'cover'
      : 'poster';
  const all = Object.entries(assets);
  return (
    <section>
      <h2>{t('admin.item.pictures')}</h2>
      {all.length === 0 && <p class="fine">{t('admin.entity.noPicture')}</p>}
      <ul class="pictures">
        {all.map(([kind, url]) => (
          <li key={kind}>
            {url.startsWith('/api/') ? (
              <img
                src={pictureUrl(idOf(url), 320)}
                alt={t('admin.item.pictureOf', { kind: kindOf(kind), title: name })}
                loading="lazy"
              />
            ) : (
              <bdi>{url}</bdi>
            )}
            <small>{kindOf(kind)}</small>
            <IconButton
              icon="trash"
              label={t('action.removeName', { name: kindOf(kind) })}
              act={() => setPicture(id, kind, null)}
            />
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Opener icon="photo" action={t('admin.entity.choosePicture')}>
          {(close) => (
            <Chooser
              tiles={tiles}
              choose={(url) => {
                close();
                void setPicture(id, main, url);
              }}
              upload={(file) => {
                close();
                void upload(entity, main, file);
              }}
              close={close}
            />
          )}
        </Opener>
      </div>
    </section>
  );
}

function Chooser({
  tiles,
  choose,
  upload,
  close,
}: {
  readonly tiles: readonly Tile[];
  readonly choose: (url: string) => void;
  readonly upload: (file: File) => void;
  readonly close: () => void;
}) {
  const offered = tiles.flatMap(({ title, picture }) =>
    picture === null ? [] : [{ id: picture.id, title }],
  );
  const pictures = [...new Map(offered.map((one) => [one.id, one])).values()].slice(0, 60);
  return (
    <Dialog title={t('admin.entity.choosePicture')} onClose={close}>
      <ul class="pictures">
        {pictures.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              class="choice"
              aria-label={t('admin.entity.pictureFrom', { title })}
              onClick={() => choose(`/api/assets/${id}`)}
            >
              <img src={pictureUrl(id, 160)} alt="" loading="lazy" />
            </button>
          </li>
        ))}
      </ul>
      <UploadField upload={upload} />
      <SendForm
        send={async (form) => choose(textOf(form, 'url'))}
        action={t('admin.entity.usePicture')}
      >
        <label>
          {t('admin.entity.pictureAddress')}
          <input name="url" type="url" required maxLength={2000} />
        </label>
      </SendForm>
    </Dialog>
  );
}
