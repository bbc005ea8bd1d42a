import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { findMessage, t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ready } from '../../ui/states.tsx';
import { pictureUrl } from '../../ui/tile.tsx';
import { attempt, say } from '../../ui/toast.tsx';

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
        const types = [...Object.keys(assets), ...pictures.map(({ type }) => type)];
        if (types.length === 0) return null;
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
      <button
        type="button"
        class="button"
        aria-label={t('pictures.chooseName', { kind })}
        onClick={choose}
      >
        {t('pictures.choose')}
      </button>
      {isLocked && (
        <button
          type="button"
          class="button"
          aria-label={t('field.unlockName', { field: kind })}
          onClick={giveBack}
        >
          {t('field.unlock')}
        </button>
      )}
    </li>
  );
}

function Chooser({
  type,
  names,
  pictures,
  choose,
  close,
}: OfferedProps & {
  readonly choose: (picture: string | null) => void;
  readonly close: () => void;
}) {
  const nameOf = (pluginId: string | null): string =>
    pluginId === null
      ? t('pictures.fromFile')
      : t('field.from', { plugin: names.get(pluginId) ?? pluginId });
  return (
    <Dialog title={t('pictures.chooseName', { kind: kindOf(type) })} onClose={close}>
      <ul class="pictures">
        {pictures
          .filter((one) => one.type === type)
          .map(({ id, pluginId }, at) => (
            <li key={id}>
              <button
                type="button"
                class="choice"
                aria-label={t('pictures.number', { number: at + 1, from: nameOf(pluginId) })}
                onClick={() => choose(id)}
              >
                <img src={pictureUrl(id, 320)} alt="" loading="lazy" />
              </button>
              <small>{nameOf(pluginId)}</small>
            </li>
          ))}
      </ul>
      <p class="buttons">
        <button type="button" class="button" onClick={() => choose(null)}>
          {t('pictures.showNone')}
        </button>
      </p>
    </Dialog>
  );
}
