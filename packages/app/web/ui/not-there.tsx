import { t } from '../core/messages.ts';
import { Empty } from './states.tsx';

/** A page for what is not there. It says so and leads home. */
export const NotThere = ({ text }: { readonly text: string }) => (
  <div class="page">
    <h1>{t('notFound.title')}</h1>
    <Empty title={text}>
      <a class="button" href="/">
        {t('nav.home')}
      </a>
    </Empty>
  </div>
);
