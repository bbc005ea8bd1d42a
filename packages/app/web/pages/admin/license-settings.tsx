import { call, type Resources } from '../../core/api.ts';
import { findMessage, locale, t } from '../../core/messages.ts';
import { invalidate, useResource } from '../../core/resource.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { SendForm } from '../../ui/send-form.tsx';
import { Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf } from '../../ui/words.ts';

type License = Resources['License'];
const changed = (): void => invalidate((topic) => topic === 'license');

/** The license of the server: what it allows, and the key. */
export function LicenseSettings() {
  const license = useResource('admin:license', ['license'], () => call('get', '/api/license'));
  async function activate(form: HTMLFormElement): Promise<void> {
    const isDone = await attempt(async () => {
      await call('post', '/api/license/activate', {
        body: { licenseKey: textOf(form, 'key') },
      });
      changed();
    }, t('license.accepted'));
    if (isDone) form.reset();
  }
  return (
    <section>
      <h2>{t('license.title')}</h2>
      <Ready of={license}>{({ license: one }) => <View license={one} />}</Ready>
      <SendForm send={activate} action={t('license.enter')} isPlain>
        <label>
          {t('license.key')}
          <input name="key" required autocomplete="off" spellcheck={false} />
        </label>
      </SendForm>
    </section>
  );
}

function View({ license }: { readonly license: License }) {
  const { status, tier, limits, expiresAt, maskedKey } = license;
  async function remove(): Promise<void> {
    const title = t('license.remove');
    if (!(await confirm({ title, text: t('license.removeText'), action: title }))) return;
    await attempt(async () => {
      await call('delete', '/api/license');
      changed();
    });
  }
  return (
    <>
      <p class="facts">
        {[
          findMessage(`license.status.${status}`) ?? status,
          tier ?? '',
          maskedKey ?? '',
          expiresAt === null ? '' : t('license.until', { date: dateOf(expiresAt) }),
          ...Object.entries(limits).map(
            ([name, value]) =>
              `${findMessage(`license.limit.${name}`) ?? name}: ${value.toLocaleString(locale.value)}`,
          ),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {maskedKey !== null && (
        <p class="buttons">
          <Button kind="danger" act={remove}>
            {t('license.remove')}
          </Button>
        </p>
      )}
    </>
  );
}
