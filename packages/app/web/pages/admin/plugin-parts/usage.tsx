import { call, type Resources } from '../../../core/api.ts';
import { locale, t } from '../../../core/messages.ts';
import { useResource } from '../../../core/resource.ts';
import { Ready } from '../../../ui/states.tsx';
import { dateOf, sizeOf } from '../../../ui/words.ts';
import { Chart } from '../chart.tsx';

type Usage = Resources['PluginUsage'];

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
          values={chart.map(({ calls, hostCalls }) => calls + hostCalls)}
        />
        <Chart title={t('usage.cpu')} values={chart.map(({ cpuMs }) => cpuMs)} />
        <Chart
          title={t('usage.memory')}
          values={chart.map(({ memoryPeakBytes }) => memoryPeakBytes)}
          format={sizeOf}
        />
        <Chart title={t('usage.refused')} values={chart.map(({ refused }) => refused)} />
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
