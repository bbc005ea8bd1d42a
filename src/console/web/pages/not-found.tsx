import { t } from '../core/messages.ts';
import { Empty } from '../ui/states.tsx';
import { useTitle } from '../ui/title.ts';

/** The page of an address that is none. */
export default function NotFound() {
  useTitle(t('notFound.title'));
  return (
    <div class="page">
      <h1>{t('notFound.title')}</h1>
      <Empty title={t('notFound.text')}>
        <a class="button" href="/">
          {t('nav.home')}
        </a>
      </Empty>
    </div>
  );
}
