import type { ComponentChildren } from 'preact';
import { findMessage, t } from '../../../core/messages.ts';
import { Icon } from '../../../ui/icon.tsx';

/** A file that could not be read: why, what the plugin says, and what to do. */
export const UnreadLine = ({
  code,
  message,
  name,
  children,
}: {
  readonly code: string;
  readonly message: string | null;
  readonly name: ComponentChildren;
  readonly children?: ComponentChildren;
}) => (
  <li>
    <span>
      <span class="with-icon warn">
        <Icon name="warning" />
        {findMessage(`file.problem.${code}`) ?? t('file.problem.other')}
      </span>
      <small>{name}</small>
      {message !== null && (
        <small>
          <bdi>{message}</bdi>
        </small>
      )}
      <small>{findMessage(`file.remedy.${code}`) ?? t('file.remedy.other')}</small>
    </span>
    {children}
  </li>
);
