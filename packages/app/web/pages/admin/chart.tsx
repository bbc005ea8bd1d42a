import { locale, t } from '../../core/messages.ts';

const [width, height] = [240, 60];

/** Bars over time. Screen readers get the highest value, and the last one if it is named. */
export function Chart({
  title,
  values,
  now,
  most = values.length,
  format = (value) => Math.round(value).toLocaleString(locale.value),
}: {
  readonly title: string;
  readonly values: readonly number[];
  /** The value at the moment, where it is worth naming. */
  readonly now?: number | undefined;
  /** How many bars there will be. */
  readonly most?: number;
  readonly format?: (value: number) => string;
}) {
  const highest = Math.max(0, ...values);
  const step = width / Math.max(1, most);
  const words = [
    ...(now === undefined ? [] : [t('metrics.now', { value: format(now) })]),
    t('usage.highest', { value: format(highest) }),
  ].join(' · ');
  return (
    <figure class="chart">
      <figcaption>
        {title} <small>{words}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}: ${words}`}
        preserveAspectRatio="none"
      >
        {values.map((value, at) => {
          const tall = highest === 0 ? 0 : (value / highest) * height;
          return (
            <rect
              key={at}
              x={width - (values.length - at) * step}
              y={height - tall}
              width={Math.max(1, step - 1)}
              height={tall}
            />
          );
        })}
      </svg>
    </figure>
  );
}
