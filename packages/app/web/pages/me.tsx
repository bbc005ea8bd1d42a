import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { televisionKey } from '../core/early-parts.ts';
import { languages, t } from '../core/messages.ts';
import { isAdmin, isUser, prefer, preferences, profile, viewer } from '../core/session.ts';
import { signOut } from '../downloads/sign-out.ts';
import { hiddenPieces, showPieces } from '../pieces/hidden-pieces.ts';
import { PluginEntries, PluginSlot } from '../pieces/plugin-slot.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { attempt } from '../ui/toast.tsx';
import { useTitle } from '../ui/title.ts';
import { languageOf } from '../ui/words.ts';
import { HomeRows } from './home-rows.tsx';
import { LanguageList } from './language-list.tsx';

const save = (changes: Readonly<Record<string, unknown>>): void =>
  void attempt(() => prefer(changes), t('state.saved'));

/** What the profile prefers, and the ways to the account, the profiles and out. */
export default function Me() {
  useTitle(t('me.title'));
  const name = profile.value?.name ?? viewer.value?.user.name ?? '';
  return (
    <div class="page me-page">
      <header class="page-header">
        <Avatar name={name} url={profile.value?.avatarUrl ?? null} size={56} />
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <nav class="buttons me-ways" aria-label={t('me.ways')}>
          <a class="button" href="/profiles">
            <Icon name="users" />
            {t('me.profiles')}
          </a>
          <a class="button" href="/pair/accept">
            <Icon name="tv" />
            {t('me.pair')}
          </a>
          <a class="button" href="/downloads">
            <Icon name="download" />
            {t('nav.downloads')}
          </a>
          <a class="button" href="/install">
            <Icon name="home" />
            {t('me.install')}
          </a>
          <a class="button" href="/account">
            <Icon name="shield" />
            {t('nav.account')}
          </a>
          <Button act={() => attempt(signOut)}>
            <Icon name="signOut" />
            {t('action.signOut')}
          </Button>
        </nav>
      </header>
      <Looks />
      <Playing />
      {/* The server orders the rows, and keeps nothing for guests. */}
      {isUser.value && (
        <section class="settings" aria-labelledby="me-home">
          <h2 id="me-home">{t('me.home')}</h2>
          <HomeRows save={save} />
        </section>
      )}
      {hiddenPieces.value.length > 0 && (
        <p>
          <Button act={() => attempt(() => showPieces())}>
            <Icon name="eye" />
            {t('piece.showAll', { count: hiddenPieces.value.length })}
          </Button>
        </p>
      )}
      <div class="wide">
        {isAdmin.value && <PluginSlot view="ui.settings.sections" context={{}} />}
        <PluginEntries slot="sidebar-bottom" />
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A choice that is kept as soon as it is made. The empty value removes the preference. */
const Choice = ({ name, label, value, options }: ChoiceProps) => (
  <label>
    {label}
    <select
      name={name}
      value={value}
      onChange={({ currentTarget }) =>
        save({ [name]: currentTarget.value === '' ? null : currentTarget.value })
      }
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

const Check = ({
  name,
  isOn,
  children,
}: {
  readonly name: string;
  readonly isOn: boolean;
  readonly children: ComponentChildren;
}) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isOn}
      onChange={({ currentTarget }) => save({ [name]: currentTarget.checked })}
    />
    {children}
  </label>
);

/** Whether this browser is seen from the sofa: larger text, and a margin for screens that cut one off. */
function Television() {
  const { dataset } = document.documentElement;
  const isOn = useSignal(dataset['tv'] !== undefined);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn.value}
        onChange={({ currentTarget }) => {
          isOn.value = currentTarget.checked;
          if (isOn.value) {
            dataset['tv'] = '';
            localStorage.setItem(televisionKey, '1');
          } else {
            delete dataset['tv'];
            localStorage.removeItem(televisionKey);
          }
        }}
      />
      {t('me.television')}
    </label>
  );
}

const textOf = (key: string, otherwise = ''): string => {
  const value = preferences.value[key];
  return typeof value === 'string' ? value : otherwise;
};
const listOf = (key: string): readonly string[] =>
  (preferences.value[key] as readonly string[] | undefined) ?? [];

function Looks() {
  return (
    <section class="settings" aria-labelledby="me-looks">
      <h2 id="me-looks">{t('me.looks')}</h2>
      <div class="form">
        <Choice
          name="locale"
          label={t('me.language')}
          value={textOf('locale')}
          options={[
            ['', t('me.asBrowser')],
            ...languages().map((tag) => [tag, languageOf(tag)] as const),
          ]}
        />
        <Choice
          name="theme"
          label={t('me.theme')}
          value={textOf('theme', 'system')}
          options={[
            ['system', t('me.theme.system')],
            ['light', t('me.theme.light')],
            ['dark', t('me.theme.dark')],
          ]}
        />
        <Choice
          name="textSize"
          label={t('me.textSize')}
          value={textOf('textSize', 'medium')}
          options={[
            ['small', t('me.textSize.small')],
            ['medium', t('me.textSize.medium')],
            ['large', t('me.textSize.large')],
            ['x-large', t('me.textSize.x-large')],
          ]}
        />
        <Television />
      </div>
    </section>
  );
}

function Playing() {
  return (
    <section class="settings" aria-labelledby="me-playing">
      <h2 id="me-playing">{t('me.playing')}</h2>
      <div class="form">
        <LanguageList
          label={t('me.audioLanguages')}
          tags={listOf('audioLanguages')}
          save={(tags) => save({ audioLanguages: tags })}
        />
        <LanguageList
          label={t('me.subtitleLanguages')}
          tags={listOf('subtitleLanguages')}
          save={(tags) => save({ subtitleLanguages: tags })}
        />
        <Choice
          name="subtitleMode"
          label={t('me.subtitleMode')}
          value={textOf('subtitleMode', 'auto')}
          options={[
            ['off', t('me.subtitleMode.off')],
            ['forced', t('me.subtitleMode.forced')],
            ['auto', t('me.subtitleMode.auto')],
            ['always', t('me.subtitleMode.always')],
          ]}
        />
        <Check name="autoplayNext" isOn={preferences.value['autoplayNext'] !== false}>
          {t('me.autoplayNext')}
        </Check>
        <Check name="skipIntro" isOn={preferences.value['skipIntro'] === true}>
          {t('me.skipIntro')}
        </Check>
      </div>
    </section>
  );
}
