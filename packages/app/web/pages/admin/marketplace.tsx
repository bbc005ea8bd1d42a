import { useSignal } from '@preact/signals';
import { call, type Resources } from '../../core/api.ts';
import { t } from '../../core/messages.ts';
import { invalidate, preload, useResource } from '../../core/resource.ts';
import { go } from '../../core/router.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { confirm, Dialog } from '../../ui/dialog.tsx';
import { textOf } from '../../ui/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { SendForm } from '../../ui/send-form.tsx';
import { Empty, Ready } from '../../ui/states.tsx';
import { attempt } from '../../ui/toast.tsx';
import { dateOf, sizeOf } from '../../ui/words.ts';
import { AdminPage } from './frame.tsx';

type Offer = Resources['MarketplacePlugin'];
type Source = Resources['MarketplaceSource'];

const [key, topics] = ['admin:marketplace', ['plugin', 'marketplace']];
const load = () => call('get', '/api/plugins/marketplace', { query: { limit: 200 } });
const changed = (): void => invalidate((topic) => topic === 'plugin' || topic === 'marketplace');

/** Reads the offers before the page is shown. */
export const prepare = (): Promise<void> => preload(key, topics, load);

/** Plugins of others that may be installed, and the sources that offer them. */
export default function MarketplacePage() {
  const offers = useResource(key, topics, load);
  return (
    <AdminPage title={t('admin.marketplace')}>
      <Ready of={offers}>
        {({ plugins, sources }) => (
          <>
            <Offers offers={plugins} />
            <Sources sources={sources} />
          </>
        )}
      </Ready>
    </AdminPage>
  );
}

const holds = ({ id, name, description }: Offer, words: string): boolean =>
  words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${id} ${name} ${description}`.toLowerCase().includes(word));

function Offers({ offers }: { readonly offers: readonly Offer[] }) {
  const words = useSignal('');
  const open = useSignal<Offer | null>(null);
  if (offers.length === 0) return <Empty title={t('market.none')} />;
  return (
    <>
      <p class="filters">
        <input
          type="search"
          aria-label={t('market.search')}
          placeholder={t('market.search')}
          value={words.value}
          onInput={({ currentTarget }) => (words.value = currentTarget.value)}
        />
      </p>
      <ul class="cards">
        {offers
          .filter((offer) => holds(offer, words.value))
          .map((offer) => (
            <li key={`${offer.source.id} ${offer.id}`}>
              <button type="button" class="card" onClick={() => (open.value = offer)}>
                <Icon name="plugin" size={28} />
                <span>
                  <bdi class="title">{offer.name}</bdi>
                  <small>
                    <bdi>{offer.description}</bdi>
                  </small>
                  <small>{stateOf(offer)}</small>
                </span>
              </button>
            </li>
          ))}
      </ul>
      {open.value !== null && <OfferSheet offer={open.value} close={() => (open.value = null)} />}
    </>
  );
}

function stateOf({ installed, latest }: Offer): string {
  if (installed === null)
    return latest === null
      ? t('market.notForThisServer')
      : t('market.version', { version: latest });
  return installed.canUpgrade
    ? t('market.canUpgrade', { version: latest ?? '' })
    : t('market.installed', { version: installed.version });
}

const isLink = (link: string | null): boolean => link !== null && /^https?:/.test(link);

/** What its author says of it. The list has neither the README nor the changes. */
function OfferDetails({ offer: { id, source, homepage, repository } }: { readonly offer: Offer }) {
  const details = useResource(`admin:offer:${source.id}:${id}`, ['marketplace'], () =>
    call('get', '/api/plugins/marketplace', { query: { id } }),
  );
  const links = [
    [t('market.homepage'), homepage],
    [t('market.repository'), repository],
  ] as const;
  return (
    <>
      <p class="facts">
        {links
          .filter(([, link]) => isLink(link))
          .map(([label, link], at) => (
            <span key={label}>
              {at > 0 && ' · '}
              <a href={link ?? ''} target="_blank" rel="noreferrer noopener">
                {label}
              </a>
            </span>
          ))}
      </p>
      <Ready of={details}>
        {({ plugins }) => {
          const offer = plugins.find((one) => one.source.id === source.id);
          return (
            <>
              <Page title={t('market.readme')} text={offer?.readme ?? null} />
              <Page title={t('versions.changes')} text={offer?.changes ?? null} />
            </>
          );
        }}
      </Ready>
    </>
  );
}

const Page = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text === null ? null : (
    <details class="panel">
      <summary>{title}</summary>
      <pre class="quoted">
        <bdi>{text}</bdi>
      </pre>
    </details>
  );

/** What an offered plugin would ask for, before anything of it is fetched. */
function OfferSheet({ offer, close }: { readonly offer: Offer; readonly close: () => void }) {
  const isBusy = useSignal(false);
  const { id, name, description, author, license, source, versions, latest, installed } = offer;
  const version = versions.find((one) => one.version === latest) ?? versions[0];
  async function install(): Promise<void> {
    isBusy.value = true;
    const isDone = await attempt(() =>
      call('post', '/api/plugins/marketplace/install', { body: { id, source: source.id } }),
    );
    isBusy.value = false;
    if (!isDone) return;
    changed();
    close();
    await go(`/admin/plugins/${id}`);
  }
  return (
    <Dialog title={name} onClose={close}>
      <p>
        <q>
          <bdi>{description}</bdi>
        </q>
      </p>
      <OfferDetails offer={offer} />
      <p class="facts">
        <bdi>
          {[author, license, version?.version ?? '', version && sizeOf(version.size), source.name]
            .filter(Boolean)
            .join(' · ')}
        </bdi>
      </p>
      <h3>{t('consent.asks')}</h3>
      <ul class="asks">
        {version?.sentences.map(({ permission, sentence, reason }) => (
          <li key={permission}>
            <strong>{sentence}</strong>{' '}
            {reason !== null && (
              <q>
                <bdi>{reason}</bdi>
              </q>
            )}
          </li>
        ))}
        {(version?.sentences.length ?? 0) === 0 && <li>{t('consent.nothing')}</li>}
      </ul>
      {version?.revoked != null && (
        <p class="warn">
          {t('market.revoked')}{' '}
          <q>
            <bdi>{version.revoked}</bdi>
          </q>
        </p>
      )}
      {source.isExpired && <p class="warn">{t('market.expired', { source: source.name })}</p>}
      <p class="fine">{t('market.askedLater')}</p>
      <p class="buttons dialog-buttons">
        {installed === null ? (
          <Button
            icon="download"
            kind="primary"
            disabled={isBusy.value || latest === null || source.isExpired}
            act={install}
          >
            {t('market.install')}
          </Button>
        ) : (
          <a class="button primary" href={`/admin/plugins/${id}`} onClick={close}>
            {t('market.open')}
          </a>
        )}
      </p>
    </Dialog>
  );
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  async function add(form: HTMLFormElement): Promise<void> {
    const [url, publisherKey] = [textOf(form, 'url'), textOf(form, 'key')];
    const isDone = await attempt(
      () =>
        call('post', '/api/plugins/marketplace/sources', {
          body: { url, ...(publisherKey !== '' && { publisherKey }) },
        }),
      t('market.sourceAdded'),
    );
    if (!isDone) return;
    form.reset();
    changed();
  }
  const refresh = () =>
    attempt(async () => {
      await call('post', '/api/plugins/marketplace/refresh');
      changed();
    }, t('market.refreshed'));
  return (
    <section>
      <h2>{t('market.sources')}</h2>
      <ul class="lines">
        {sources.map((source) => (
          <SourceLine key={source.id} source={source} />
        ))}
      </ul>
      {sources.length > 0 && (
        <p class="buttons">
          <Button icon="refresh" act={refresh}>
            {t('market.refresh')}
          </Button>
        </p>
      )}
      <details class="panel" open={sources.length === 0}>
        <summary>{t('market.addSource')}</summary>
        <SendForm send={add} action={t('market.addSource')}>
          <label>
            {t('market.address')}
            <input name="url" type="url" required maxLength={2000} autocomplete="off" />
          </label>
          <label>
            {t('market.key')}
            <input name="key" pattern="[0-9a-f]{64}" autocomplete="off" spellcheck={false} />
            <small>{t('market.keyHint')}</small>
          </label>
        </SendForm>
      </details>
    </section>
  );
}

function SourceLine({ source }: { readonly source: Source }) {
  const { id, name, url, pluginCount, updatedAt, isExpired, error } = source;
  async function remove(): Promise<void> {
    const title = t('market.removeSource', { name });
    const yes = await confirm({ title, text: t('market.removeSourceText'), action: title });
    if (!yes) return;
    await attempt(async () => {
      await call('delete', '/api/plugins/marketplace/sources/{id}', { path: { id } });
      changed();
    });
  }
  return (
    <li>
      <span>
        <bdi class="title">{name}</bdi>
        <small>
          <bdi>{url}</bdi>
        </small>
        <small>{t('market.sourceFacts', { count: pluginCount, date: dateOf(updatedAt) })}</small>
        {isExpired && <p class="warn">{t('market.expired', { source: name })}</p>}
        {error !== null && <p class="warn">{error}</p>}
      </span>
      <IconButton icon="trash" label={t('market.removeSource', { name })} act={remove} />
    </li>
  );
}
