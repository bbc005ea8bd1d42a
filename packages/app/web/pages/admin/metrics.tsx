import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readText } from '../../core/api.ts';
import { locale, t, type MessageKey } from '../../core/messages.ts';
import { Problem } from '../../ui/states.tsx';
import { sizeOf } from '../../ui/words.ts';
import { Chart } from './chart.tsx';
import { AdminPage } from './frame.tsx';
import { gaugeOf, meanOf, rateOf, readingOf, type Sample } from './server-parts/exposition.ts';

/** Seconds between two readings, and how many are shown: five minutes. */
const [everySeconds, most] = [5, 60];
/** The second reading comes early, so that rates are seen soon. */
const firstSeconds = 1;

const numberOf = (value: number): string =>
  value.toLocaleString(locale.value, { maximumFractionDigits: value < 10 ? 1 : 0 });
const millisecondsOf = (seconds: number): string =>
  t('metrics.milliseconds', { value: numberOf(seconds * 1000) });

interface Shown {
  readonly title: MessageKey;
  readonly valuesOf: (samples: readonly Sample[]) => readonly number[];
  readonly format: (value: number) => string;
}

const charts: readonly Shown[] = [
  { title: 'metrics.requests', valuesOf: rateOf('vitrine_http_requests_total'), format: numberOf },
  {
    title: 'metrics.replies',
    valuesOf: meanOf('vitrine_http_request_duration_seconds'),
    format: millisecondsOf,
  },
  {
    title: 'metrics.cpu',
    valuesOf: rateOf('process_cpu_seconds_total'),
    format: (value) => value.toLocaleString(locale.value, { style: 'percent' }),
  },
  { title: 'metrics.memory', valuesOf: gaugeOf('process_resident_memory_bytes'), format: sizeOf },
  {
    title: 'metrics.delay',
    valuesOf: gaugeOf('nodejs_eventloop_lag_seconds'),
    format: millisecondsOf,
  },
  { title: 'metrics.plugins', valuesOf: rateOf('vitrine_plugin_calls_total'), format: numberOf },
  { title: 'metrics.writes', valuesOf: rateOf('vitrine_database_writes_total'), format: numberOf },
  {
    title: 'metrics.writeWait',
    valuesOf: meanOf('vitrine_database_write_wait_seconds'),
    format: millisecondsOf,
  },
];

/** How the server does at the moment, in a few small charts. */
export default function MetricsPage() {
  const samples = useSignal<readonly Sample[]>([]);
  const error = useSignal<unknown>(undefined);
  const tries = useSignal(0);
  useEffect(() => follow(samples, error), [tries.value]);
  return (
    <AdminPage title={t('metrics.title')}>
      <p class="fine">{t('metrics.hint')}</p>
      {error.value !== undefined && (
        <Problem error={error.value} retry={() => (tries.value += 1)} />
      )}
      <div class="charts">
        {charts.map(({ title, valuesOf, format }) => {
          const values = valuesOf(samples.value);
          return (
            <Chart key={title} title={t(title)} now={values.at(-1)} {...{ values, most, format }} />
          );
        })}
      </div>
    </AdminPage>
  );
}

/** Reads the metrics until the page is left. */
function follow(samples: Signal<readonly Sample[]>, error: Signal<unknown>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  async function read(): Promise<void> {
    try {
      const reading = readingOf(await readText('/metrics'));
      if (isLeft) return;
      samples.value = [...samples.value.slice(-most), { at: performance.now(), reading }];
      error.value = undefined;
    } catch (failure) {
      error.value = failure;
    }
    const seconds = samples.value.length < 2 ? firstSeconds : everySeconds;
    if (!isLeft) timer = setTimeout(() => void read(), seconds * 1000);
  }
  void read();
  return () => {
    isLeft = true;
    clearTimeout(timer);
  };
}
