import { useSignal } from '@preact/signals';
import { call } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { attempt } from '../../ui/toast.tsx';

interface Verdict {
  readonly isIntact: boolean;
  readonly count: number | null;
  readonly brokenAt: number | null;
  readonly fault: string | null;
}

/** Reads the whole log, and says whether an entry was changed or is missing. */
export function VerifyAudit({
  head,
}: {
  readonly head: { readonly seq: number; readonly hash: string };
}) {
  const verdict = useSignal<Verdict | null>(null);
  async function verify(form: HTMLFormElement): Promise<void> {
    const noted = textOf(form, 'noted');
    verdict.value = null;
    await attempt(async () => {
      verdict.value = await call('post', '/api/audit/verify', {
        body: { ...(noted !== '' && { noted }) },
      });
    });
  }
  return (
    <details class="panel">
      <summary>{t('audit.verify')}</summary>
      <p>{t('audit.verifyHint', { count: head.seq })}</p>
      <p>
        <code class="quoted">{head.hash}</code>
      </p>
      <SendForm send={verify} icon={<Icon name="shield" size={16} />} action={t('audit.verifyNow')}>
        <label>
          {t('audit.noted')}
          <input name="noted" pattern="[0-9a-f]{64}" autocomplete="off" spellcheck={false} />
          <small>{t('audit.notedHint')}</small>
        </label>
      </SendForm>
      <div role="status">
        {verdict.value?.isIntact === true && (
          <p>{t('audit.intact', { count: verdict.value.count ?? 0 })}</p>
        )}
        {verdict.value?.isIntact === false && (
          <p class="warn">
            {t('audit.broken', {
              seq: verdict.value.brokenAt ?? 0,
              fault: verdict.value.fault ?? '',
            })}
          </p>
        )}
      </div>
    </details>
  );
}
