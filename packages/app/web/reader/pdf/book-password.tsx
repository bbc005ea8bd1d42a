import { useRef } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SendForm } from '../../ui/send-form.tsx';

/** Asks for the password of a book. It goes to the frame that reads the book, and is stored nowhere. */
export function BookPassword({
  isWrong,
  open,
  leave,
}: {
  /** Whether the one before was not that of the book. */
  readonly isWrong: boolean;
  readonly open: (password: string) => void;
  readonly leave: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={t('read.locked')} onClose={leave}>
      <SendForm
        action={t('read.open')}
        send={async () => open(field.current?.value ?? '')}
        beside={<Button onClick={leave}>{t('action.cancel')}</Button>}
      >
        <label>
          {t('account.password')}
          <input
            ref={field}
            type="password"
            required
            autofocus
            maxLength={127}
            autocomplete="off"
            aria-invalid={isWrong}
          />
          <small>{t('read.passwordUse')}</small>
        </label>
        {isWrong && (
          <p class="wrong-password" role="alert">
            {t('read.wrongPassword')}
          </p>
        )}
      </SendForm>
    </Dialog>
  );
}
