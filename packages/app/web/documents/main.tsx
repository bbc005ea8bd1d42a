/**
 * The pages that are documents of their own. They work before anybody is signed in, and nothing of the app
 * or of a plugin is on them. Each has one address; all share one frame.
 */
import { render, type ComponentChild, type VNode } from 'preact';
import { Refusal } from '../core/api.ts';
import { chooseLanguage, setWords, t } from '../core/messages.ts';
import { english, further, others, refusals } from 'words:documents';
import { errorText } from '../ui/words.ts';
import { announced } from './announced.ts';
import { Failure } from './document-form.tsx';
import { takeFragment } from './session.ts';
// The page that most people open comes with the first file.
import signInPage from './sign-in.tsx';

interface PageModule {
  /** Reads what the page needs, and draws it; `token` is the secret of a link. */
  readonly default: (token: string | null) => Promise<VNode>;
}

const pages: Readonly<Record<string, () => Promise<PageModule>>> = {
  '/invite': () => import('./invite.tsx'),
  '/pair': () => import('./pair.tsx'),
  '/setup': () => import('./setup.tsx'),
  '/sign-in': async () => ({ default: signInPage }),
};

const Status = () => (
  <p class="unseen" role="status">
    {announced.value}
  </p>
);

/** Draws the frame of all pages. */
const draw = (page: ComponentChild, form: string): void =>
  render(
    <>
      <a class="skip" href="#content">
        {t('nav.skip')}
      </a>
      <Status />
      <main id="content" tabIndex={-1} class={form}>
        {page}
      </main>
    </>,
    document.body,
  );

async function start(): Promise<void> {
  // Before anything is waited for, so that the address does not keep the secret.
  const token = takeFragment('token');
  const load = pages[location.pathname];
  const form = load === undefined ? 'wide' : 'narrow';
  setWords({ english, further, others, refusals });
  try {
    // The reference of the API is in English.
    await chooseLanguage(
      load === undefined ? ['en'] : navigator.languages.map((tag) => tag.split('-', 1)[0] ?? ''),
    );
    const page = await (load ?? (() => import('./api-docs.tsx')))();
    draw(await page.default(token), form);
  } catch (error) {
    draw(<Failure text={errorText(error)} />, form);
    if (!(error instanceof Refusal)) throw error;
  }
}

void start();
