/* global TextEncoder, URL, btoa, crypto */
/**
 * Notifier: sends news and failures of the server to a chat.
 *
 * Events only put messages into a queue, which is kept in `host.kv`; all sending is done when
 * `host.schedule` calls, one call at a time. So a restart loses nothing, and an event never waits
 * for the network. A message has its id before it is sent for the first time, and keeps it.
 *
 * @typedef {import('@vitrine/plugin-api').Host} Host
 * @typedef {import('@vitrine/plugin-api').FetchInput} FetchInput
 *
 * @typedef {object} Message a message as plain text: it is escaped when it is sent
 * @property {string} id
 * @property {number} at
 * @property {string} title
 * @property {readonly string[]} lines
 * @property {number} times how often the same event came while it waited
 * @property {number} attempts
 *
 * @typedef {object} Delivery the result of a message
 * @property {string} id
 * @property {number} at
 * @property {string} title
 * @property {'sent' | 'waiting' | 'given up'} outcome
 * @property {number} attempts
 * @property {string} reason
 *
 * @typedef {{count: number, titles: string[]}} Shelf what is new in one library
 *
 * @typedef {object} State
 * @property {{since: number, last: number, libraries: Record<string, Shelf>}} gathered
 * @property {Message[]} queue the oldest first
 * @property {number} leftOut messages for which the queue was full
 * @property {number} failures in a row
 * @property {number} nextAt not before
 * @property {number[]} sentAt times of the last minute
 * @property {Delivery[]} deliveries the newest first
 *
 * @typedef {Record<string, unknown>} Settings
 * @typedef {{kind: 'sent'} | {kind: 'refused' | 'later', reason: string, waitMs?: number}} Outcome
 */

const minuteMs = 60_000;
const mostWaiting = 50;
const mostDeliveries = 20;
const mostLibraries = 20;
const mostTitles = 10;
const mostLines = 20;
/** While items keep coming, one message waits for them, but no longer than this. */
const longestGatherMs = 30 * minuteMs;
const firstPauseMs = 5000;
const longestPauseMs = 60 * minuteMs;
const giveUpMs = 24 * 60 * minuteMs;
/** A call has a minute: after this time the rest is left to the next one. */
const longestTurnMs = 30_000;
/** An answer that would come between two calls never comes. */
const lostAnswerMs = 3000;
const saveEveryMs = 1000;

/** @returns {State} */
const emptyState = () => ({
  gathered: { since: 0, last: 0, libraries: {} },
  queue: [],
  leftOut: 0,
  failures: 0,
  nextAt: 0,
  sentAt: [],
  deliveries: [],
});

/**
 * The state in memory, and a copy of it in `host.kv`. The plugin has one isolate, so the state in memory
 * is authoritative once it was read; changes that come while a copy is written share the next one.
 */
class Store {
  /** @type {State | undefined} */
  #state;
  #version = 0;
  #saved = 0;
  #startedAt = 0;
  #savedAt = 0;
  /** @type {Promise<unknown> | null} */
  #writing = null;

  /**
   * @param {Host} host
   * @returns {Promise<State>}
   */
  async open(host) {
    if (this.#state !== undefined) return this.#state;
    const kept = await host.kv.get({ key: 'state' });
    const known = typeof kept === 'object' && kept !== null ? kept : {};
    this.#state ??= { ...emptyState(), ...known };
    return this.#state;
  }

  /**
   * Resolves when the present state is stored.
   *
   * @param {Host} host
   */
  async save(host) {
    this.#savedAt = Date.now();
    this.#version += 1;
    const wanted = this.#version;
    while (this.#saved < wanted) {
      const isLost = Date.now() - this.#startedAt > lostAnswerMs;
      if (this.#writing === null || isLost) await this.#write(host);
      else await this.#writing.catch(() => undefined);
    }
  }

  /**
   * The same for changes that come in thousands: it stores once a second. A crash may lose a second
   * of counts, but events need not wait.
   *
   * @param {Host} host
   */
  async saveSoon(host) {
    if (Date.now() - this.#savedAt > saveEveryMs) await this.save(host);
  }

  /** @param {Host} host */
  #write(host) {
    const version = this.#version;
    this.#startedAt = Date.now();
    const writing = host.kv
      .set({ key: 'state', value: this.#state })
      .then(() => {
        this.#saved = Math.max(this.#saved, version);
      })
      .finally(() => {
        if (this.#writing === writing) this.#writing = null;
      });
    this.#writing = writing;
    return writing;
  }
}

const store = new Store();

/** @type {{at: number, settings: Settings}} */
let lastRead = { at: 0, settings: {} };

/**
 * The configuration, a second old at most: ten thousand events need not make ten thousand calls.
 *
 * @param {Host} host
 */
async function recentSettings(host) {
  const now = Date.now();
  if (now - lastRead.at > 1000) lastRead = { settings: await host.config.get({}), at: now };
  return lastRead.settings;
}

/** @type {Map<string, {at: number, name: string}>} */
const names = new Map();

/**
 * @param {string} libraryId
 * @param {Host} host
 */
async function libraryName(libraryId, host) {
  const known = names.get(libraryId);
  if (known !== undefined && Date.now() - known.at < minuteMs) return known.name;
  const name = await host.library.get({ libraryId }).then(
    (library) => plain(library.name, 100),
    () => 'a library',
  );
  if (names.size > 1000) names.clear();
  names.set(libraryId, { at: Date.now(), name });
  return name;
}

/**
 * Whether a message is wanted: its switch is on, a target is configured, and the library is one of
 * the chosen ones. Messages without a library are always wanted.
 *
 * @param {string} toggle
 * @param {string | null} libraryId
 * @param {Host} host
 */
async function isWanted(toggle, libraryId, host) {
  const settings = await recentSettings(host);
  if (settings[toggle] !== true || !settings['address']) return false;
  const chosen = Array.isArray(settings['libraries']) ? settings['libraries'] : [];
  if (libraryId === null || chosen.length === 0 || chosen.includes(libraryId)) return true;
  const name = (await libraryName(libraryId, host)).toLowerCase();
  return chosen.some((one) => plain(one, 100).toLowerCase() === name);
}

/**
 * One line of harmless text: no control characters and no characters that change the writing direction.
 *
 * @param {unknown} text
 * @param {number} [most]
 */
function plain(text, most = 150) {
  const line = String(text ?? '')
    .toWellFormed()
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line.slice(0, most * 2 + 2)];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line;
}

/**
 * Puts a message into the queue. An equal waiting message is counted instead. When the queue is full,
 * the oldest is dropped, and the next message says so.
 *
 * @param {State} state
 * @param {string} title
 * @param {readonly string[]} lines
 */
function enqueue(state, title, lines) {
  const same = state.queue.find(
    (one) => one.attempts === 0 && one.title === title && one.lines.join('\n') === lines.join('\n'),
  );
  if (same !== undefined) {
    same.times += 1;
    return;
  }
  state.queue.push(createMessage(title, lines));
  while (state.queue.length > mostWaiting) {
    state.queue.shift();
    state.leftOut += 1;
  }
}

/**
 * @param {string} title
 * @param {readonly string[]} lines
 * @returns {Message}
 */
const createMessage = (title, lines) => ({
  id: crypto.randomUUID(),
  at: Date.now(),
  title,
  lines,
  times: 1,
  attempts: 0,
});

/**
 * @param {string} title
 * @param {readonly string[]} lines
 * @param {Host} host
 */
async function tell(title, lines, host) {
  const state = await store.open(host);
  enqueue(state, title, lines);
  await store.save(host);
  await wakeToSend(state, host);
}

/**
 * A time is set a little ahead, so that it never equals the time of the present call.
 *
 * @param {State} state
 * @param {Host} host
 */
const wakeToSend = (state, host) =>
  host.schedule.set({ name: 'send', at: Math.max(state.nextAt, Date.now() + 100) });

/** The start of the gathering whose end is scheduled. */
let wakeSetFor = 0;

/**
 * @param {{libraryId: string, title: string}} item
 * @param {Host} host
 */
async function gather({ libraryId, title }, host) {
  const { gathered } = await store.open(host);
  const now = Date.now();
  if (gathered.since === 0) gathered.since = now;
  gathered.last = now;
  const known = Object.hasOwn(gathered.libraries, libraryId);
  const isFull = Object.keys(gathered.libraries).length >= mostLibraries;
  const key = known || !isFull ? libraryId : 'others';
  const shelf = (gathered.libraries[key] ??= { count: 0, titles: [] });
  shelf.count += 1;
  if (shelf.titles.length < mostTitles) shelf.titles.push(plain(title));
  const { since } = gathered;
  const isFirst = wakeSetFor !== since;
  if (isFirst) {
    // Set before the call, and reset when it fails: then the next event tries again.
    wakeSetFor = since;
    try {
      const { gatherSeconds } = await recentSettings(host);
      await host.schedule.set({ name: 'gather', at: now + 1000 * Number(gatherSeconds) });
    } catch (error) {
      wakeSetFor = 0;
      throw error;
    }
  }
  await (isFirst ? store.save(host) : store.saveSoon(host));
}

/**
 * Makes one message of the gathered items, unless more are still coming.
 *
 * @param {Host} host
 */
async function endGathering(host) {
  const state = await store.open(host);
  const { since, last, libraries } = state.gathered;
  if (since === 0) return;
  const { gatherSeconds } = await host.config.get({});
  const quietMs = Math.min(10_000, Number(gatherSeconds) * 500);
  const now = Date.now();
  if (now - last < quietMs && now - since < longestGatherMs) {
    await host.schedule.set({ name: 'gather', at: last + quietMs + 100 });
    return;
  }
  const shelves = await Promise.all(
    Object.entries(libraries).map(async ([id, { count, titles }]) => ({
      name: id === 'others' ? 'other libraries' : await libraryName(id, host),
      count,
      titles,
    })),
  );
  // Items that came during the look-up of names wait for the next message.
  if (state.gathered.last !== last) {
    await host.schedule.set({ name: 'gather', at: Date.now() + quietMs + 100 });
    return;
  }
  state.gathered = emptyState().gathered;
  const { title, lines } = describeNew(shelves);
  enqueue(state, title, lines);
  await store.save(host);
  await wakeToSend(state, host);
}

/** @param {readonly (Shelf & {name: string})[]} shelves */
function describeNew(shelves) {
  const total = shelves.reduce((sum, { count }) => sum + count, 0);
  const [only] = shelves;
  const where = shelves.length === 1 ? only?.name : `${shelves.length} libraries`;
  const lines = shelves.flatMap(({ name, count, titles }) => [
    ...(shelves.length > 1 ? [`${count} in ${name}:`] : []),
    ...titles,
    ...(count > titles.length ? [`and ${count - titles.length} more`] : []),
  ]);
  return { title: `${total} new in ${where}`, lines: lines.slice(0, mostLines) };
}

/**
 * Sends waiting messages, oldest first, until the rate or a failure stops it.
 *
 * @param {Host} host
 */
async function sendWaiting(host) {
  const startedAt = Date.now();
  const state = await store.open(host);
  for (let message = state.queue[0]; message !== undefined; message = state.queue[0]) {
    const settings = await host.config.get({});
    const at = Math.max(state.nextAt, freeAt(state, Number(settings['messagesPerMinute'])));
    const isLate = Date.now() - startedAt > longestTurnMs;
    if (isLate || at > Date.now()) {
      await host.schedule.set({ name: 'send', at: Math.max(at, Date.now() + 100) });
      return;
    }
    const { leftOut } = state;
    message.attempts += 1;
    const outcome = await deliver(settings, message, leftOut, host);
    settle(state, message, outcome);
    if (outcome.kind === 'sent') state.leftOut -= leftOut;
    await store.save(host);
  }
}

/**
 * The time at which the rate allows one more message.
 *
 * @param {State} state
 * @param {number} perMinute
 */
function freeAt(state, perMinute) {
  state.sentAt = state.sentAt.filter((at) => at > Date.now() - minuteMs).slice(-60);
  const blocking = state.sentAt.at(-perMinute);
  return blocking === undefined ? 0 : blocking + minuteMs;
}

/**
 * Stores the result: a message that was sent or given up leaves the queue. Any other waits, longer each
 * time, and all later ones with it.
 *
 * @param {State} state
 * @param {Message} message
 * @param {Outcome} outcome
 */
function settle(state, message, outcome) {
  const now = Date.now();
  state.sentAt.push(now);
  const isOver = outcome.kind !== 'later' || now - message.at > giveUpMs;
  if (isOver) state.queue = state.queue.filter(({ id }) => id !== message.id);
  if (outcome.kind === 'later') {
    const pauseMs = Math.min(firstPauseMs * 3 ** state.failures, longestPauseMs);
    state.nextAt = now + Math.max(pauseMs, outcome.waitMs ?? 0);
    state.failures = Math.min(state.failures + 1, 10);
  } else {
    state.nextAt = 0;
    state.failures = 0;
  }
  note(state, message, outcome, isOver);
}

/**
 * @param {State} state
 * @param {Message} message
 * @param {Outcome} outcome
 * @param {boolean} isOver
 */
function note(state, { id, title, attempts }, outcome, isOver) {
  /** @type {Delivery} */
  const delivery = {
    id,
    at: Date.now(),
    title,
    outcome: outcome.kind === 'sent' ? 'sent' : isOver ? 'given up' : 'waiting',
    attempts,
    reason: outcome.kind === 'sent' ? '' : outcome.reason,
  };
  const others = state.deliveries.filter((one) => one.id !== id);
  state.deliveries = [delivery, ...others].slice(0, mostDeliveries);
}

/**
 * One attempt. It never throws: an error becomes a reason without secrets.
 *
 * @param {Settings} settings
 * @param {Message} message
 * @param {number} leftOut
 * @param {Host} host
 * @returns {Promise<Outcome>}
 */
async function deliver(settings, message, leftOut, host) {
  try {
    const { status, headers } = await host.net.fetch(requestFor(settings, message, leftOut));
    if (status >= 200 && status < 300) return { kind: 'sent' };
    const reason = `The answer was ${status}.`;
    if (status === 400 || status === 413 || status === 422) return { kind: 'refused', reason };
    const waitMs = 1000 * Number(headers['retry-after']);
    return { kind: 'later', reason, ...(waitMs > 0 && { waitMs: Math.min(waitMs, giveUpMs) }) };
  } catch (error) {
    const text = error instanceof Error ? error.message : 'The request failed.';
    return { kind: 'later', reason: withoutSecrets(text, settings) };
  }
}

/**
 * @param {string} text
 * @param {Settings} settings
 */
function withoutSecrets(text, settings) {
  const secrets = [settings['address'], settings['token']]
    .map(String)
    .filter(({ length }) => length > 3);
  return plain(
    secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text),
    200,
  );
}

/** @type {Record<string, (settings: Settings, message: Message, lines: readonly string[]) => FetchInput>} */
const targets = { discord: toDiscord, matrix: toMatrix, ntfy: toNtfy };

/**
 * The request that sends a message. Throws when the configuration names no target.
 *
 * @param {Settings} settings
 * @param {Message} message
 * @param {number} leftOut
 */
function requestFor(settings, message, leftOut) {
  const target = targets[String(settings['kind'])];
  if (target === undefined) throw new Error('Choose discord, matrix or ntfy.');
  const repeated = message.times > 1 ? [`${message.times} times`] : [];
  const missing = leftOut > 0 ? [`${leftOut} earlier messages were left out`] : [];
  return target(settings, message, [...message.lines, ...repeated, ...missing]);
}

/** @param {Settings} settings */
function addressOf({ address }) {
  if (typeof address !== 'string' || !URL.canParse(address.trim()))
    throw new Error('The address is not a URL such as https://ntfy.sh/my-topic.');
  return new URL(address.trim());
}

/** @param {Settings} settings */
const bearer = ({ token }) =>
  typeof token === 'string' && token !== '' ? { authorization: `Bearer ${token.trim()}` } : {};

/**
 * As many lines as the target accepts.
 *
 * @param {readonly string[]} lines
 * @param {number} most
 * @param {(text: string) => number} sizeOf
 */
function fitting(lines, most, sizeOf) {
  /** @type {string[]} */
  const taken = [];
  for (const line of lines) {
    if (sizeOf([...taken, line, '…'].join('\n')) > most) return [...taken, '…'].join('\n');
    taken.push(line);
  }
  return taken.join('\n');
}

/**
 * Escaped Markdown that is shown as it is written: without formatting, links and mentions.
 *
 * @param {string} text
 */
const escapeMarkdown = (text) => text.replace(/[\\`*_~|<>#[\](){}:@+-]/g, '\\$&');

/** @type {(typeof targets)[string]} */
function toDiscord(settings, { title }, lines) {
  const url = addressOf(settings);
  if (!url.pathname.includes('/webhooks/'))
    throw new Error('The address is not a webhook of Discord: its path has no /webhooks/.');
  // So the answer says whether the message was stored.
  url.searchParams.set('wait', 'true');
  const text = [
    `**${escapeMarkdown(title)}**`,
    ...lines.map((line) => `• ${escapeMarkdown(line)}`),
  ];
  return {
    url: url.href,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      content: fitting(text, 2000, (one) => one.length),
      allowed_mentions: { parse: [] },
      // No previews of links in a title.
      flags: 4,
    }),
  };
}

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/**
 * The id of the message is the id of the transaction: if the answer was lost, the homeserver still shows
 * the message once.
 *
 * @type {(typeof targets)[string]}
 */
function toMatrix(settings, { id, title }, lines) {
  const { room } = settings;
  if (typeof room !== 'string' || !room.trim().startsWith('!'))
    throw new Error('Enter the internal id of the Matrix room; it begins with "!".');
  const base = addressOf(settings).href.replace(/\/+$/, '');
  const path = `_matrix/client/v3/rooms/${encodeURIComponent(room.trim())}/send/m.room.message/${id}`;
  const list = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return {
    url: `${base}/${path}`,
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...bearer(settings) },
    body: JSON.stringify({
      msgtype: 'm.notice',
      body: [title, ...lines.map((line) => `• ${line}`)].join('\n'),
      format: 'org.matrix.custom.html',
      formatted_body: `<strong>${escapeHtml(title)}</strong>${list && `<ul>${list}</ul>`}`,
      'm.mentions': {},
    }),
  };
}

const encoder = new TextEncoder();

/** @param {string} text */
const byteLength = (text) => encoder.encode(text).length;

/**
 * A header value for any text: ASCII unchanged, other text as words of RFC 2047, 75 characters each.
 *
 * @param {string} text
 */
function encodeHeader(text) {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  /** @type {string[]} */
  const words = [''];
  for (const letter of text) {
    const word = words.at(-1) ?? '';
    if (byteLength(word + letter) > 45) words.push(letter);
    else words[words.length - 1] = word + letter;
  }
  return words.map((word) => `=?UTF-8?B?${base64(word)}?=`).join(' ');
}

/** @param {string} text */
const base64 = (text) => btoa(String.fromCharCode(...encoder.encode(text)));

/** @type {(typeof targets)[string]} */
function toNtfy(settings, { title }, lines) {
  const url = addressOf(settings);
  if (url.pathname.length < 2) throw new Error('The address has no topic after the host of ntfy.');
  return {
    url: url.href,
    method: 'POST',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: encodeHeader(title),
      ...bearer(settings),
    },
    body: fitting(lines.length > 0 ? lines : [title], 4000, byteLength),
  };
}

/** @param {number} at */
const timeOf = (at) => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** @param {Delivery} delivery */
function describeDelivery({ at, title, outcome, attempts, reason }) {
  const tries = attempts > 1 ? `, attempt ${attempts}` : '';
  return { key: timeOf(at), value: `${title} — ${outcome}${tries}${reason && `: ${reason}`}` };
}

/** @param {State} state */
function describeQueue({ queue, nextAt }) {
  if (queue.length === 0) return 'nothing';
  const next = nextAt > Date.now() ? `, the next attempt at ${timeOf(nextAt)}` : '';
  return `${queue.length}${next}`;
}

/** @type {import('@vitrine/plugin-api').PluginDefinition} */
export default {
  events: {
    async 'library.item.added'({ data }, host) {
      if (await isWanted('tellNewItems', data.libraryId, host)) await gather(data, host);
    },

    async 'library.scan.completed'({ data }, host) {
      const { libraryId, added, changed, moved, gone } = data;
      if (added + changed + moved + gone === 0) return;
      if (!(await isWanted('tellScans', libraryId, host))) return;
      const counts = `files: ${added} added, ${changed} changed, ${moved} moved, ${gone} gone`;
      await tell(`Scan of ${await libraryName(libraryId, host)} completed`, [counts], host);
    },

    async 'job.failed'({ data: { type, libraryId, errorMessage } }, host) {
      if (!(await isWanted('tellFailedJobs', libraryId, host))) return;
      const of = libraryId === null ? '' : ` of ${await libraryName(libraryId, host)}`;
      const reason = errorMessage === null ? [] : [plain(errorMessage)];
      await tell(`The job ${plain(type, 50)}${of} failed`, reason, host);
    },

    async 'plugin.error'({ data: { pluginId, errorMessage } }, host) {
      // A notifier that reports its own failures would never end.
      if (pluginId === 'notifier' || !(await isWanted('tellPluginErrors', null, host))) return;
      const reason = errorMessage === null ? [] : [plain(errorMessage)];
      await tell(`The plugin ${plain(pluginId, 100)} failed`, reason, host);
    },

    async 'notification.created'({ data: { level, title } }, host) {
      if (!(await isWanted('tellNotifications', null, host))) return;
      await tell(`Notification (${plain(level, 20)})`, [plain(title)], host);
    },
  },

  views: {
    async 'ui.settings.sections'(_, host) {
      const state = await store.open(host);
      return [
        {
          type: 'metadata',
          slot: 'settings-panes',
          id: 'notifier-deliveries',
          title: 'Notifier: last messages',
          layout: 'key-value',
          fields: [
            { key: 'Waiting', value: describeQueue(state) },
            ...state.deliveries.map(describeDelivery),
          ],
        },
        {
          type: 'action',
          slot: 'settings-panes',
          id: 'notifier-test',
          label: 'Send a test',
          rpcMethod: 'sendTest',
        },
        {
          type: 'action',
          slot: 'settings-panes',
          id: 'notifier-forget',
          label: 'Forget what waits',
          confirm: 'Unsent messages will never be sent.',
          rpcMethod: 'forgetWaiting',
        },
      ];
    },
  },

  actions: {
    async sendTest(_, host) {
      const state = await store.open(host);
      const settings = await host.config.get({});
      const message = createMessage('A test of Vitrine', ['Messages arrive here.']);
      const outcome = await deliver(settings, message, 0, host);
      note(state, { ...message, attempts: 1 }, outcome, true);
      const isSent = outcome.kind === 'sent';
      if (isSent) Object.assign(state, { nextAt: 0, failures: 0 });
      await store.save(host);
      if (isSent && state.queue.length > 0) await wakeToSend(state, host);
      return isSent ? { sent: true } : { sent: false, reason: outcome.reason };
    },

    async forgetWaiting(_, host) {
      const state = await store.open(host);
      const forgotten = state.queue.length;
      Object.assign(state, { queue: [], leftOut: 0, nextAt: 0, failures: 0 });
      await store.save(host);
      return { forgotten };
    },
  },

  methods: {
    async 'schedule.wake'({ name }, host) {
      if (name === 'gather') await endGathering(host);
      if (name === 'send') await sendWaiting(host);
      return null;
    },
  },
};
