import { call, type Resources } from '../../../core/api.ts';
import { locale, t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { Ready } from '../../../ui/states.tsx';
import { dateOf, sizeOf } from '../../../ui/words.ts';

type Usage = Resources['PluginUsage'];
type Point = Usage['chart'][number];

/** What a plugin did in the last hour: calls, processor, memory, refusals, failures. */
export function PluginUsage({ id }: { readonly id: string }) {
  const usage = useResource(`admin:usage:${id}`, ['plugin', `plugin:${id}`], () =>
    call('get', '/api/plugins/{id}/usage', { path: { id } }),
  );
  return (
    <section>
      <h2>{t('usage.title')}</h2>
      <Ready of={usage}>{({ usage: one }) => <View usage={one} />}</Ready>
    </section>
  );
}

function View({ usage }: { readonly usage: Usage }) {
  const { chart, refusals, failures, quotas } = usage;
  return (
    <>
      <div class="charts">
        <Chart
          title={t('usage.calls')}
          points={chart}
          valueOf={({ calls, hostCalls }) => calls + hostCalls}
        />
        <Chart title={t('usage.cpu')} points={chart} valueOf={({ cpuMs }) => cpuMs} />
        <Chart
          title={t('usage.memory')}
          points={chart}
          valueOf={({ memoryPeakBytes }) => memoryPeakBytes}
          format={sizeOf}
        />
        <Chart title={t('usage.refused')} points={chart} valueOf={({ refused }) => refused} />
      </div>
      <details class="panel">
        <summary>{t('usage.quotas')}</summary>
        <ul class="lines">
          {quotas.map(({ quota, unit, used, limit }) => (
            <li key={quota}>
              <span>{t(`usage.quota.${quota}`)}</span>
              <small>
                {unit === 'bytes' ? sizeOf(used) : used.toLocaleString(locale.value)}
                {limit !== null &&
                  ` / ${unit === 'bytes' ? sizeOf(limit) : limit.toLocaleString(locale.value)}`}
              </small>
              {limit !== null && limit > 0 && (
                <progress max={limit} value={used} aria-label={t(`usage.quota.${quota}`)} />
              )}
            </li>
          ))}
        </ul>
      </details>
      {refusals.length > 0 && (
        <details class="panel">
          <summary>{t('usage.refusals', { count: refusals.length })}</summary>
          <ul class="lines">
            {refusals.map(({ call: name, subject, message, count, lastAt }) => (
              <li key={`${name} ${subject ?? ''} ${message}`}>
                <bdi>{message}</bdi>
                <small>
                  {count.toLocaleString(locale.value)} · {dateOf(lastAt)}
                </small>
              </li>
            ))}
          </ul>
        </details>
      )}
      {failures.total > 0 && (
        <details class="panel">
          <summary>{t('usage.failures', { count: failures.total })}</summary>
          <ul class="lines">
            {failures.handlers.map(({ handler, count, message }) => (
              <li key={handler}>
                <span>
                  <code>{handler}</code>
                  <p>
                    <bdi>{message}</bdi>
                  </p>
                </span>
                <small>{count.toLocaleString(locale.value)}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const [width, height] = [240, 60];

/** Bars of the last minutes. Screen readers get the sum and the highest value. */
function Chart({
  title,
  points,
  valueOf,
  format = (value) => Math.round(value).toLocaleString(locale.value),
}: {
  readonly title: string;
  readonly points: readonly Point[];
  readonly valueOf: (point: Point) => number;
  readonly format?: (value: number) => string;
}) {
  const values = points.map(valueOf);
  const highest = Math.max(0, ...values);
  const step = width / Math.max(1, values.length);
  return (
    <figure class="chart">
      <figcaption>
        {title} <small>{t('usage.highest', { value: format(highest) })}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${title}: ${t('usage.highest', { value: format(highest) })}`}
        preserveAspectRatio="none"
      >
        {values.map((value, at) => {
          const tall = highest === 0 ? 0 : (value / highest) * height;
          return (
            <rect
              key={points[at]?.at}
              x={at * step}
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
