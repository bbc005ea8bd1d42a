/**
 * The page for developers, to register apps: name, callbacks, and the domain that verifies them.
 */
import type { DeveloperApp, NewApp } from '../../service/web-api.ts';
import { get, patch, post, remove } from '../api.ts';
import { announce, el, fill, foreign, type Field } from '../../../../lib/page-kit/index.ts';
import { actionButton, confirmButton, form } from '../form.ts';
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
      'An app has an id and no secret. Users who pair it see its name, and its verified domain.',
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
              hint: '3 to 32 of a-z, 0-9 and -. It gives the permanent id app_….',
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
    hint: 'One per line, at most 10; https, or a scheme with a dot. Compared exactly. Empty if the app uses only codes.',
    isLong: true,
    value: app?.callbacks.join('\n') ?? '',
    attributes: { required: false, spellcheck: 'false' },
  },
  {
    name: 'domain',
    label: 'Domain',
    hint: 'It proves that the app is yours. Optional.',
    value: app?.domain ?? '',
    attributes: {
      required: false,
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  },
];

/**
 * The values of the fields. These pages load nothing from other hosts, so there is no field for an
 * icon.
 */
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
        el('p', { class: 'banner warning' }, 'The operator of this broker has disabled this app.'),
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
        el('p', { class: 'quiet below' }, 'After a change the domain must be verified again.'),
      ),
      confirmButton({
        label: 'Delete',
        of: name,
        question: 'Its id can never be used again.',
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
    el('p', {}, `To prove that ${domain ?? ''} is yours, do one of these:`),
    el(
      'ul',
      {},
      proof !== null && el('li', {}, 'add a DNS TXT record with the text ', el('code', {}, proof)),
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
