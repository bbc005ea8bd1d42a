import { call, type Resources } from '../../../core/api.ts';
import { t } from '../../../core/messages.ts';
import { invalidate, useResource } from '../../../core/resource.ts';
import { textOf } from '../../../ui/form-text.ts';
import { SendForm } from '../../../ui/send-form.tsx';
import { attempt } from '../../../ui/toast.tsx';

type Library = Resources['Library'];

const mediaJobs = ['stills', 'loudness', 'trickplay'] as const;

/** The name of a library, how changes are found, who sees it, and what is done at night. */
export function LibrarySettings({ library }: { readonly library: Library }) {
  const { id, name, watch, hidden, mediaJobs: chosen } = library;
  async function save(form: HTMLFormElement): Promise<void> {
    const given = new FormData(form);
    await attempt(async () => {
      const pluginId = textOf(form, 'plugin');
      await call('patch', '/api/libraries/{id}', {
        path: { id },
        body: {
          name: textOf(form, 'name'),
          watch: given.has('watch'),
          hidden: given.has('hidden'),
          mediaJobs: mediaJobs.filter((job) => given.has(job)),
          ...(given.has('plugin') && { pluginId: pluginId === '' ? null : pluginId }),
        },
      });
      invalidate((topic) => topic === 'library');
    }, t('state.saved'));
  }
  return (
    <section>
      <h2>{t('admin.library.settings')}</h2>
      <SendForm send={save} action={t('action.save')}>
        <label>
          {t('library.name')}
          <input name="name" required maxLength={200} autocomplete="off" defaultValue={name} />
        </label>
        <Switch
          name="watch"
          isOn={watch}
          label={t('admin.library.watch')}
          hint={t('admin.library.watchHint')}
        />
        <Switch
          name="hidden"
          isOn={hidden}
          label={t('admin.library.hide')}
          hint={t('admin.library.hideHint')}
        />
        <fieldset class="group">
          <legend>{t('admin.library.mediaJobs')}</legend>
          {mediaJobs.map((job) => (
            <Switch
              key={job}
              name={job}
              isOn={chosen.includes(job)}
              label={t(`admin.library.mediaJob.${job}`)}
            />
          ))}
        </fieldset>
        <Filesystem library={library} />
      </SendForm>
    </section>
  );
}

const Switch = ({
  name,
  label,
  hint,
  isOn,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
}) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={isOn} />
    <span>
      {label}
      {hint !== undefined && <small>{hint}</small>}
    </span>
  </label>
);

/** The plugin that reads the folders, where there is a choice. */
function Filesystem({ library: { roots, pluginId } }: { readonly library: Library }) {
  const providers = useResource('admin:providers', ['plugin'], () =>
    call('get', '/api/plugins/providers'),
  );
  const schemes = new Set(roots.map((root) => `filesystem:${root.split(':')[0] ?? 'file'}`));
  const offered = (providers.value.value?.providers ?? [])
    .filter(({ key }) => schemes.has(key))
    .flatMap(({ candidates }) => candidates);
  const plugins = [...new Map(offered.map((one) => [one.pluginId, one])).values()];
  if (plugins.length < 2 && pluginId === null) return null;
  return (
    <label>
      {t('admin.library.filesystem')}
      <select name="plugin" key={plugins.length} defaultValue={pluginId ?? ''}>
        <option value="">{t('admin.library.filesystemAny')}</option>
        {plugins.map(({ pluginId: id, name }) => (
          <option key={id} value={id} selected={id === pluginId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
