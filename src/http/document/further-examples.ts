/** Examples of what operators, plugins and profiles read and send, by the name of the schema. */
const [createdAt, updatedAt] = ['2026-03-01T19:30:00.000Z', '2026-03-02T08:15:30.250Z'];
const id = '01957a3e-8d10-7c2b-8e11-6e3d5f9b2002';
const fileId = '01957a3e-8d11-7d3c-9d22-7f4e60ac3003';
const libraryId = '01957a3e-7c00-7b1a-9f00-5d2c4e8a1001';
const userId = '01957a3a-1000-7e4d-8c33-805f71bd4004';
const made = { createdAt, updatedAt };
const noPictures = { assets: {}, assetAspects: {} };

const problem = {
  code: 'backup_failed',
  severity: 'error',
  subject: { type: 'task', id: 'backup' },
  message:
    'The scheduled backup failed. The disk of the backup folder /srv/backups is full, and nothing was stored. Make room on it.',
  action: 'Remove the cause; run it again under Manage, Settings.',
  since: createdAt,
};

export const furtherExamples: Readonly<Record<string, unknown>> = {
  ApiKey: {
    ...{ id, userId, name: 'Backup script', role: 'admin', scopes: ['read-only'], createdAt },
    ...{ expiresAt: null, lastUsedAt: updatedAt },
  },
  Chapter: {
    ...{ id, fileId, title: 'Opening', source: 'embedded', startTime: 0, endTime: 92.5 },
    ...{ role: 'intro', metadata: {}, assets: {}, ...made },
  },
  Collection: {
    ...{ id, kind: 'playlist', userId, profileId: null, distributedId: 'rainy-days' },
    ...{ name: 'Rainy days', description: null, mediaType: null, sortBy: 'manual' },
    ...{ sortOrder: 'asc', hidden: false, itemCount: 12, rule: null, ...noPictures },
    ...{ coverItemId: null, ...made },
  },
  NewCollection: { kind: 'playlist', name: 'Rainy days' },
  NewPlaylistEntries: { itemIds: [id], position: 0 },
  PlaylistEntryMove: { position: 3 },
  Group: {
    id,
    name: 'Children',
    libraryAccess: [{ libraryId, maxRating: 'MPAA PG' }],
    userCount: 2,
    ...made,
  },
  NewGroup: { name: 'Children', libraryAccess: [{ libraryId, maxRating: 'MPAA PG' }] },
  NewUser: { name: 'Ben', password: 'a long pass phrase', role: 'user' },
  NewProfile: { name: 'Kids', libraryAccess: [{ libraryId, maxRating: 'MPAA PG' }] },
  NewInvite: { role: 'guest', maxUses: 1 },
  Session: {
    ...{ id, deviceName: 'Living room', userAgent: null, address: '192.0.2.7', createdAt },
    ...{ lastSeenAt: updatedAt, expiresAt: '2026-04-01T19:30:00.000Z', isCurrent: true },
  },
  Setup: { token: 'the token of the setup link', name: 'Ada', password: 'a long pass phrase' },
  Health: {
    ...{ status: 'degraded', timestamp: updatedAt, version: '0.1.0', uptime: 86_400.5 },
    plugins: { bootComplete: true, total: 11, running: 11, starting: 0, failed: 0 },
    problems: [problem],
  },
  Problem: problem,
  Readiness: {
    ready: false,
    reasons: [{ code: 'cannot_write', message: 'The disk of the data folder is full.' }],
  },
  Task: {
    ...{ name: 'backup', purpose: 'Makes a backup.', interval: 86_400_000, lastRun: updatedAt },
    ...{ lastDuration: 812, lastError: null, lastSuccess: updatedAt, isOverdue: false },
    ...{ nextRun: '2026-03-03T08:15:30.250Z', isRunning: false },
  },
  License: {
    ...{ status: 'active', tier: 'home', limits: { users: 10 }, expiresAt: null },
    ...{ lastValidatedAt: updatedAt, maskedKey: 'VITR-****-7Q2K' },
  },
  Plugin: {
    ...{ id: 'release-tags', name: 'Release tags', version: '1.0.0', author: 'Ada Brandt' },
    ...{ description: 'Shows words such as REMUX on the page of an item.', license: 'MIT' },
    ...{ repository: null, homepage: null, capabilities: [], mediaTypes: ['movies'] },
    ...{ enabled: true, state: 'running', errorMessage: null, type: 'marketplace' },
    ...{ restartAttempts: 0, lastCrashAt: null, configuration: [], capabilityConfig: {} },
  },
  ServerLogLine: { time: createdAt, level: 'warn', pluginId: null, text: 'A disk is almost full.' },
  PluginLogLine: { time: createdAt, level: 'info', text: 'It found 3 tags.' },
  PermissionSentence: {
    permission: 'library',
    sentence: 'It can see what is in your libraries.',
    reason: "To show an item's tags on its page.",
  },
  UIAction: {
    ...{ type: 'action', pluginId: 'release-tags', slot: 'detail-actions', id: 'count' },
    ...{ label: 'Count the tags', rpcMethod: 'countTags' },
  },
  NewMarketplaceSource: { url: 'https://plugins.example.org/index.json' },
  Webhook: {
    ...{ id, name: 'Chat', url: 'https://chat.example/hook', secret: '••••••' },
    ...{ events: 'library.item.added', enabled: true, ...made },
  },
  TextTrack: {
    ...{ id: 'e-2', kind: 'subtitle', format: 'srt', language: 'de', title: null },
    ...{ isForced: false, isSdh: false, isDefault: true },
    url: `/api/files/${fileId}/text/e-2.vtt`,
  },
  Lyrics: { synced: true, lines: [{ startMs: 12_400, text: 'The tide comes in' }] },
  Tile: {
    ...{ id, type: 'film', title: 'Blue Harbor', subtitle: null, year: 2012, picture: null },
    ...{ progress: 0.18, watched: false, favourite: true, badges: ['4K'] },
  },
  ItemMarks: { favourite: true, myRating: 4.5 },
  WatchedMark: { watched: true },
  Preferences: { locale: 'de', audioLanguages: ['de', 'en'], subtitleMode: 'auto' },
};
