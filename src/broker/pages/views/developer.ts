/** Where developers register their apps: a name, callbacks, and the domain that speaks for them. */
import type { DeveloperApp, NewApp } from '../../web-api.ts';
import { get, patch, post, remove } from '../api.ts';
import { announce, el, fill, foreign } from '../../../page-kit/index.ts';
import { actionButton, confirmButton, form, type Field } from '../form.ts';
import type { PageParts } from '../page.ts';
import { facts } from './facts.ts';

export async function developerView(page: PageParts): Promise<void> {
  document.title = 'Apps · Vitrine identity';
  page.place.classList.add('narrow');
  const { apps } = await get<{ readonly apps: readonly DeveloperApp[] }>('apps');
  const changed = async (what: string): Promise<void> => {
    await developerView(page);
    announce(what);
    page.place.querySelector<HTMLElement>('h1')?.focus();
  };
  fill(
    page.place,
    el('h1', { tabindex: -1 }, 'Apps'),
    el(
      'p',
      {},
      'An app has an id and no secret. Whoever pairs it sees its name, and the domain that vouches for it.',
    ),
    apps.map((app) => appCard(app, changed)),
    el(
      'section',
      { 'aria-labelledby': 'new-app' },
      el('h2', { id: 'new-app' }, 'A new app'),
      el(
        'div',
        { class: 'card' },
        form({
          name: 'new',
          fields: [
            {
              name: 'slug',
              label: 'Id',
              hint: '3 to 32 of a-z, 0-9 and -. The app is called app_… by it, for ever.',
              attributes: {
                pattern: '[a-z0-9][a-z0-9\\-]{1,30}[a-z0-9]',
                autocomplete: 'off',
                autocapitalize: 'none',
                spellcheck: 'false',
              },
            },
            ...appFields(),
          ],
          submit: 'Register the app',
          send: async (values) => {
            const body: NewApp = { slug: values['slug'] ?? '', ...changesOf(values) };
            const app = await post<DeveloperApp>('apps', body);
            await changed(`${app.appId} was registered.`);
          },
        }),
      ),
    ),
  );
}

type Changed = (what: string) => Promise<void>;

const appFields = (app?: DeveloperApp): readonly Field[] => [
  {
    name: 'name',
    label: 'Name',
    value: app?.name ?? '',
    attributes: { maxlength: 64, autocomplete: 'off' },
  },
  {
    name: 'callbacks',
    label: 'Callback addresses',
    hint: 'One per line, at most 10; https, or a scheme with a dot. Compared letter by letter. None for codes alone.',
    isLong: true,
    value: app?.callbacks.join('\n') ?? '',
    attributes: { required: false, spellcheck: 'false' },
  },
  {
    name: 'domain',
    label: 'Domain',
    hint: 'It proves that the app is yours. Empty = none.',
    value: app?.domain ?? '',
    attributes: {
      required: false,
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  },
];

/** What the fields say. These pages load nothing from elsewhere, so they ask for no icon. */
const changesOf = (
  values: Readonly<Record<string, string>>,
  icon: string | null = null,
): Omit<NewApp, 'slug'> => ({
  name: (values['name'] ?? '').trim(),
  callbacks: (values['callbacks'] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  domain: (values['domain'] ?? '').trim() || null,
  icon,
});

function appCard(app: DeveloperApp, changed: Changed): HTMLElement {
  const { appId, name, callbacks, isEnabled, isVerified, domain } = app;
  const path = `apps/${encodeURIComponent(appId)}`;
  return el(
    'section',
    { 'aria-labelledby': appId },
    el('h2', { id: appId }, foreign(name)),
    el(
      'div',
      { class: 'card' },
      !isEnabled &&
        el(
          'p',
          { class: 'banner warning' },
          'The operator of this broker has switched this app off.',
        ),
      facts(
        ['Id', el('code', {}, appId)],
        ['Callbacks', callbacks.length === 0 ? 'none' : lines(callbacks)],
        ['Domain', domainState(app)],
      ),
      domain !== null && !isVerified && proofOf(app, path, changed),
      el(
        'details',
        {},
        el('summary', {}, 'Change it'),
        form({
          name: appId,
          fields: appFields(app),
          submit: 'Save',
          send: async (values) => {
            await patch(path, changesOf(values, app.icon));
            await changed(`${appId} was changed.`);
          },
        }),
        el('p', { class: 'quiet below' }, 'After a change the domain has to be checked again.'),
      ),
      confirmButton({
        label: 'Delete',
        of: name,
        question: 'Its id is gone for ever, for you and all others.',
        yes: 'Delete it',
        act: async () => {
          await remove(path);
          await changed(`${appId} was deleted.`);
        },
      }),
    ),
  );
}

const lines = (texts: readonly string[]): HTMLElement =>
  el(
    'ul',
    { class: 'plain' },
    texts.map((text) => el('li', {}, foreign(text))),
  );

const domainState = ({ domain, isVerified }: DeveloperApp): string =>
  domain === null ? 'none' : `${domain}, ${isVerified ? 'verified' : 'not verified yet'}`;

function proofOf(
  { domain, appId, proof }: DeveloperApp,
  path: string,
  changed: Changed,
): HTMLElement {
  return el(
    'div',
    { class: 'banner' },
    el('p', {}, `To show that ${domain ?? ''} is yours, do one of these:`),
    el(
      'ul',
      {},
      proof !== null &&
        el('li', {}, 'a DNS TXT record of it with the text ', el('code', {}, proof)),
      el(
        'li',
        {},
        el('code', {}, `https://${domain ?? ''}/.well-known/media-identity.json`),
        ' with ',
        el('code', {}, JSON.stringify({ apps: [appId] })),
      ),
    ),
    actionButton('Check the domain', async () => {
      await post(`${path}/verify`);
      await changed(`${domain ?? ''} is verified.`);
    }),
  );
}
