import { loadFurther } from '../../core/further.ts';
import { t } from '../../core/messages.ts';
import { subtitlesOf } from '../tracks.ts';
import { trackName } from '../track-name.ts';
import { captionColours, captionPositions, captionSizes } from './caption-look.ts';
import type { VideoFace } from './face.ts';

interface ChipsProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly nameOf: (value: Value) => string;
  readonly choose: (value: Value) => void;
}

/** A line of values of which one is chosen. */
const Chips = <Value extends string | number>({
  label,
  values,
  chosen,
  nameOf,
  choose,
}: ChipsProps<Value>) => (
  <p class="menu-line" role="group" aria-label={label}>
    <span>{label}</span>
    {values.map((value) => (
      <button
        key={value}
        type="button"
        class="chip"
        aria-pressed={chosen === value}
        onClick={() => choose(value)}
      >
        {nameOf(value)}
      </button>
    ))}
  </p>
);

/** The look of plain subtitles, and a second one that is shown at the same time. */
function CaptionSettings({ face }: { readonly face: VideoFace }) {
  const { size, colour, position } = face.captionLook.value;
  const tracks = subtitlesOf(face.player.session.value?.tracks ?? []);
  const others = tracks.filter(({ id, url }) => url !== null && id !== face.text.value?.id);
  return (
    <>
      <Chips
        label={t('player.captionSize')}
        values={captionSizes}
        chosen={captionSizes.find((one) => one === size) ?? 1}
        nameOf={(value) => t('player.percent', { value: Math.round(value * 100) })}
        choose={(value) => face.setCaptionLook({ size: value })}
      />
      <Chips
        label={t('captions.colour')}
        values={captionColours}
        chosen={colour}
        nameOf={(value) => t(`captions.colour.${value}`)}
        choose={(value) => face.setCaptionLook({ colour: value })}
      />
      <Chips
        label={t('captions.position')}
        values={captionPositions}
        chosen={position}
        nameOf={(value) => t(`captions.position.${value}`)}
        choose={(value) => face.setCaptionLook({ position: value })}
      />
      {face.text.value !== null && others.length > 0 && (
        <label class="menu-line">
          <span>{t('captions.second')}</span>
          <select
            class="chip"
            value={face.secondText.value?.id ?? ''}
            onChange={({ currentTarget: { value } }) => {
              face.secondText.value = others.find(({ id }) => id === value) ?? null;
            }}
          >
            <option value="">{t('player.off')}</option>
            {others.map((track) => (
              <option key={track.id} value={track.id}>
                {trackName(track, tracks.indexOf(track))}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

/** The settings, once their words are there. */
export async function loadSettings(): Promise<typeof CaptionSettings> {
  await loadFurther();
  return CaptionSettings;
}
