import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../core/messages.ts';
import { prefer, preferences } from '../../core/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { clockOf } from '../../ui/words.ts';
import { captionDelay, delayBy } from './caption-delay.ts';
import type { VideoFace } from './face.ts';
import { reasonTexts } from '../player-problem.tsx';
import type { SessionTrack } from '../requests.ts';
import { speeds } from '../speeds.ts';
import { setSleep, sleep, sleepMinutes } from './sleep.ts';
import { trackName } from '../track-name.ts';
import { subtitlesOf } from '../tracks.ts';

/** A list of choices beside the controls. */
function Menu({
  label,
  face,
  children,
}: {
  readonly label: string;
  readonly face: VideoFace;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const buttons = place.current?.querySelectorAll('button') ?? [];
    const chosen = [...buttons].find((one) => one.ariaPressed === 'true') ?? buttons[0];
    chosen?.focus();
  }, []);
  return (
    <dialog open class="player-menu" ref={place} aria-label={label}>
      <h2>{label}</h2>
      {children}
      <Button act={() => face.closeMenu()}>{t('action.close')}</Button>
    </dialog>
  );
}

const Choice = ({
  isChosen,
  choose,
  children,
}: {
  readonly isChosen: boolean;
  readonly choose: () => void;
  readonly children: ComponentChildren;
}) => (
  <button type="button" class="choice" aria-pressed={isChosen} onClick={choose}>
    <span class="tick">{isChosen && <Icon name="check" size={18} />}</span>
    <span>{children}</span>
  </button>
);

/** Languages with this one first. */
const withFirst = (language: string | null, known: unknown): readonly string[] | undefined =>
  language === null
    ? undefined
    : [
        language,
        ...(Array.isArray(known) ? known.filter((one) => typeof one === 'string') : []).filter(
          (one) => one !== language,
        ),
      ].slice(0, 20);

/** It has words of its own. */
const CaptionSettings = lazy(async () => (await import('./caption-settings.tsx')).loadSettings());

function SubtitleMenu({ face }: { readonly face: VideoFace }) {
  const { player, text } = face;
  const texts = subtitlesOf(player.session.value?.tracks ?? []);
  const hasStyles = texts.some(({ assUrl }) => assUrl !== null);
  const choose = (track: SessionTrack | null): void => {
    text.value = track;
    const languages = withFirst(track?.language ?? null, preferences.value['subtitleLanguages']);
    const mode = track === null ? 'off' : track.isForced ? 'forced' : 'always';
    void prefer({
      subtitleMode: mode,
      ...(languages !== undefined && { subtitleLanguages: languages }),
    }).catch(() => {});
  };
  return (
    <Menu label={t('player.subtitles')} face={face}>
      <Choice isChosen={text.value === null} choose={() => choose(null)}>
        {t('player.off')}
      </Choice>
      {texts.map((track, at) => (
        <Choice key={track.id} isChosen={text.value?.id === track.id} choose={() => choose(track)}>
          {trackName(track, at)}
        </Choice>
      ))}
      {hasStyles && (
        <button
          type="button"
          class="chip"
          aria-pressed={face.isStyled.value}
          onClick={() => face.setStyled(!face.isStyled.value)}
        >
          {t('player.styles')}
        </button>
      )}
      <CaptionSettings face={face} />
      <p class="menu-line" role="group" aria-label={t('player.captionDelay')}>
        <span>{t('player.captionDelay')}</span>
        <IconButton icon="minus" label={t('player.earlier')} act={() => delayBy(-1)} />
        <output>{t('player.seconds', { value: captionDelay.value })}</output>
        <IconButton icon="plus" label={t('player.later')} act={() => delayBy(1)} />
      </p>
    </Menu>
  );
}

function SoundMenu({ face }: { readonly face: VideoFace }) {
  const { player } = face;
  const sounds = (player.session.value?.tracks ?? []).filter(({ kind }) => kind === 'audio');
  return (
    <Menu label={t('player.sound')} face={face}>
      {sounds.map((track, at) => (
        <Choice
          key={track.id}
          isChosen={track.isSelected}
          choose={() => {
            void player.chooseSound(track.id);
            const audioLanguages = withFirst(track.language, preferences.value['audioLanguages']);
            if (audioLanguages !== undefined) void prefer({ audioLanguages }).catch(() => {});
          }}
        >
          {trackName(track, at)}
        </Choice>
      ))}
    </Menu>
  );
}

const qualities = [
  { kbps: 10_000, height: 1080 },
  { kbps: 5000, height: 720 },
  { kbps: 2500, height: 480 },
  { kbps: 1000, height: 360 },
] as const;

function QualityMenu({ face }: { readonly face: VideoFace }) {
  const { player } = face;
  const session = player.session.value;
  const picture = player.file.value?.tracks.find(({ kind }) => kind === 'video');
  const highest = picture?.height ?? Infinity;
  const lower = qualities.filter(({ height }) => height <= highest);
  const reasons = reasonTexts(session?.reasons.map(({ code }) => code) ?? []);
  return (
    <Menu label={t('player.quality')} face={face}>
      <Choice
        isChosen={player.maxKbps.value === null}
        choose={() => void player.chooseQuality(null)}
      >
        {t('player.original')}
      </Choice>
      {lower.map(({ kbps, height }) => (
        <Choice
          key={kbps}
          isChosen={player.maxKbps.value === kbps}
          choose={() => void player.chooseQuality(kbps)}
        >
          {t('player.qualityOf', { height: String(height), mbps: kbps / 1000 })}
        </Choice>
      ))}
      {session !== null && (
        <div class="fine">
          <p>{t(`player.mode.${session.mode}`)}</p>
          {reasons.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </Menu>
  );
}

const SpeedMenu = ({ face }: { readonly face: VideoFace }) => (
  <Menu label={t('player.speed')} face={face}>
    {speeds.map((rate) => (
      <Choice
        key={rate}
        isChosen={face.player.rate.value === rate}
        choose={() => face.player.setRate(rate)}
      >
        {rate === 1 ? t('player.usualSpeed') : t('player.speedOf', { value: rate })}
      </Choice>
    ))}
    <button type="button" class="choice" onClick={face.repeatPart}>
      <span class="tick">
        <Icon name="repeat" size={18} />
      </span>
      <span>{t('keys.repeat')}</span>
    </button>
    <SleepTimer />
  </Menu>
);

/** When playing stops by itself. */
const SleepTimer = () => (
  <label class="menu-line">
    <span>{t('dock.timer')}</span>
    <select
      class="chip"
      value={String(sleep.value?.after ?? '')}
      onChange={({ currentTarget: { value } }) =>
        setSleep(value === '' ? null : value === 'title' ? value : Number(value))
      }
    >
      <option value="">{t('player.off')}</option>
      <option value="title">{t('dock.afterTitle')}</option>
      {sleepMinutes.map((minutes) => (
        <option key={minutes} value={minutes}>
          {t('length.minutes', { minutes })}
        </option>
      ))}
    </select>
  </label>
);

const ChapterMenu = ({ face }: { readonly face: VideoFace }) => (
  <Menu label={t('player.chapters')} face={face}>
    {face.chapters.value.map((chapter) => (
      <Choice
        key={chapter.start}
        isChosen={face.chapter.value === chapter}
        choose={() => face.player.seek(chapter.start)}
      >
        <bdi>{chapter.title}</bdi> <small>{clockOf(chapter.start)}</small>
      </Choice>
    ))}
  </Menu>
);

export function OpenMenu({ face }: { readonly face: VideoFace }) {
  switch (face.menu.value) {
    case 'subtitles':
      return <SubtitleMenu face={face} />;
    case 'sound':
      return <SoundMenu face={face} />;
    case 'quality':
      return <QualityMenu face={face} />;
    case 'speed':
      return <SpeedMenu face={face} />;
    case 'chapters':
      return <ChapterMenu face={face} />;
    case null:
      return null;
  }
}
