import { t } from '../../../core/messages.ts';

/** Why something failed, in the words of the server, a plugin or another program. */
export const Cause = ({ text }: { readonly text: string }) => (
  <p class="warn">
    {t('admin.cause')} <bdi lang="en">{text}</bdi>
  </p>
);
