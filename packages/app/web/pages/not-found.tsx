import { t } from '../core/messages.ts';
import { NotThere } from '../ui/not-there.tsx';
import { useTitle } from '../ui/title.ts';

/** The page of an address that does not exist. */
export default function NotFound() {
  useTitle(t('notFound.title'));
  return <NotThere text={t('notFound.text')} />;
}
