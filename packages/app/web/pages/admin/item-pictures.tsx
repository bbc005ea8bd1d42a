import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { base64Of } from '../../core/file-text.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { pictureUrl } from '../../ui/tile.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { UploadField } from './picture-parts/upload-field.tsx';

type Item = Resources['ItemDetail'];
type Names = ReadonlyMap<string, string>;

const idOf = (url: string): string => url.split('/').pop()?.split('?')[0] ?? '';
const kindOf = (type: string): string => findMessage(`picture.${type}`) ?? type;

const patch = (
  id: string,
  body: { readonly assets?: Record<string, string | null>; readonly unlock?: string[] },
): Promise<unknown> => call('patch', '/api/items/{id}', { path: { id }, body });

const change = (id: string, body: Parameters<typeof patch>[1]): Promise<boolean> =>
  attempt(async () => {
    await patch(id, body);
    invalidate((topic) => topic === `item:${id}`);
  });

/** Shows another picture, or none. The undo also takes the lock off that was not there before. */
async function choose(item: Item, type: string, picture: string | null): Promise<void> {
  const { id, assets, lockedFields } = item;
  const before = assets[type] === undefined ? null : idOf(assets[type]);
  const undo = async (): Promise<void> => {
    await change(id, { assets: { [type]: before } });
    if (!lockedFields.includes(`assets.${type}`)) await change(id, { unlock: [`assets.${type}`] });
  };
  if (await change(id, { assets: { [type]: picture } }))
    say(t('pictures.changed'), () => void undo());
}

const remove = (item: Item, pictureId: string): Promise<unknown> =>
  call('delete', '/api/items/{id}/pictures/{pictureId}', { path: { id: item.id, pictureId } });

const again = ({ id }: Item): void => invalidate((topic) => topic === `item:${id}`);

/** Sends a picture, which is shown at once. The undo shows what was there, and deletes the picture. */
async function upload(item: Item, type: string, file: File): Promise<void> {
  const { id, assets, lockedFields } = item;
  const field = `assets.${type}`;
  const before = assets[type] === undefined ? null : idOf(assets[type]);
  let pictureId = '';
  const undo = (): Promise<boolean> =>
    attempt(async () => {
      await patch(id, { assets: { [type]: before } });
      await remove(item, pictureId);
      if (!lockedFields.includes(field)) await patch(id, { unlock: [field] });
      again(item);
    });
  const isSent = await attempt(async () => {
    const body = { type, image: await base64Of(file) };
    ({ id: pictureId } = await call('post', '/api/items/{id}/pictures', { path: { id }, body }));
    again(item);
  });
  if (isSent) say(t('pictures.changed'), () => void undo());
}

/** The pictures of a title, each with who named it, and a choice among all that were found. */
export function ItemPictures({ item, names }: { readonly item: Item; readonly names: Names }) {
  const { id, assets } = item;
  const choosing = useSignal<string | null>(null);
  const offered = useResource(`admin:pictures:${id}`, [`item:${id}`], () =>
    call('get', '/api/items/{id}/pictures', { path: { id } }),
  );
  return (
    <Ready of={offered}>
      {({ pictures }) => {
        const found = [...Object.keys(assets), ...pictures.map(({ type }) => type)];
        // A title without any picture can be given one.
        const types = found.length === 0 ? ['poster'] : found;
        return (
          <section>
            <h2>{t('admin.item.pictures')}</h2>
            <ul class="pictures">
              {[...new Set(types)].map((type) => (
                <Shown
                  key={type}
                  {...{ item, names, type, pictures }}
                  choose={() => (choosing.value = type)}
                />
              ))}
            </ul>
            <p class="fine">{t('admin.item.picturesHint')}</p>
            {choosing.value !== null && (
              <Chooser
                type={choosing.value}
                {...{ names, pictures }}
                upload={(file) => {
                  const type = choosing.value ?? '';
                  choosing.value = null;
                  void upload(item, type, file);
                }}
                remove={(picture) =>
                  void attempt(async () => {
                    await remove(item, picture);
                    again(item);
                  })
                }
                choose={(picture) => {
                  const type = choosing.value ?? '';
                  choosing.value = null;
                  void choose(item, type, picture);
                }}
                close={() => (choosing.value = null)}
              />
            )}
          </section>
        );
      }}
    </Ready>
  );
}

interface OfferedProps {
  readonly type: string;
  readonly names: Names;
  readonly pictures: readonly Resources['OfferedPicture'][];
}

function Shown({
  item: { id, title, assets, lockedFields },
  type,
  names,
  pictures,
  choose,
}: OfferedProps & { readonly item: Item; readonly choose: () => void }) {
  const [kind, url] = [kindOf(type), assets[type]];
  const field = `assets.${type}`;
  const isLocked = lockedFields.includes(field);
  const writer = pictures.find((one) => url !== undefined && one.id === idOf(url))?.pluginId;
  const giveBack = (): void =>
    void attempt(async () => {
      await patch(id, { unlock: [field] });
      await call('post', '/api/items/{id}/refresh', { path: { id } });
      invalidate((topic) => topic === `item:${id}`);
    }, t('field.unlocked'));
  return (
    <li>
      {url === undefined ? (
        <span class="no-cover">{t('pictures.none')}</span>
      ) : (
        <img
          src={pictureUrl(idOf(url), 320)}
          alt={t('admin.item.pictureOf', { kind, title })}
          loading="lazy"
        />
      )}
      <small>
        {[kind, ...(writer ? [t('field.from', { plugin: names.get(writer) ?? writer })] : [])].join(
          ' · ',
        )}
      </small>
      {isLocked && (
        <small class="locked">
          <Icon name="lock" size={14} /> {t('pictures.locked')}
        </small>
      )}
      <Button label={t('pictures.chooseName', { kind })} onClick={choose}>
        {t('pictures.choose')}
      </Button>
      {isLocked && (
        <Button label={t('field.unlockName', { field: kind })} onClick={giveBack}>
          {t('field.unlock')}
        </Button>
      )}
    </li>
  );
}

function Chooser({
  type,
  names,
  pictures,
  choose,
  upload,
  remove,
  close,
}: OfferedProps & {
  readonly choose: (picture: string | null) => void;
  readonly upload: (file: File) => void;
  readonly remove: (picture: string) => void;
  readonly close: () => void;
}) {
  const nameOf = ({ pluginId, isUploaded }: Resources['OfferedPicture']): string => {
    if (isUploaded) return t('pictures.uploaded');
    return pluginId === null
      ? t('pictures.fromFile')
      : t('field.from', { plugin: names.get(pluginId) ?? pluginId });
  };
  return (
    <Dialog title={t('pictures.chooseName', { kind: kindOf(type) })} onClose={close}>
      <ul class="pictures">
        {pictures
          .filter((one) => one.type === type)
          .map((picture, at) => (
            <li key={picture.id}>
              <button
                type="button"
                class="choice"
                aria-label={t('pictures.number', { number: at + 1, from: nameOf(picture) })}
                onClick={() => choose(picture.id)}
              >
                <img src={pictureUrl(picture.id, 320)} alt="" loading="lazy" />
              </button>
              <small>{nameOf(picture)}</small>
              {picture.isUploaded && (
                <IconButton
                  icon="trash"
                  label={t('pictures.removeUpload', { number: at + 1 })}
                  act={() => remove(picture.id)}
                />
              )}
            </li>
          ))}
      </ul>
      <UploadField upload={upload} />
      <p class="buttons">
        <Button act={() => choose(null)}>{t('pictures.showNone')}</Button>
      </p>
    </Dialog>
  );
}
