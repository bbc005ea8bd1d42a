/** Why the feed ends with a client before the client does: code and words of the WebSocket's close. */
export const closings = {
  stopping: { code: 1001, reason: 'The server is stopping; connect again in a moment.' },
  notText: { code: 1003, reason: 'Messages must be text.' },
  notJson: { code: 1007, reason: 'Messages must be JSON.' },
  flood: { code: 1008, reason: 'Too many messages.' },
  failed: { code: 1011, reason: 'The server could not find out what you may hear.' },
  full: { code: 1013, reason: 'Too many clients follow the events; try again later.' },
  nobody: { code: 4401, reason: 'The first message must be auth, with a token that is good.' },
  ended: { code: 4401, reason: 'The credential ended, or its rights changed; connect again.' },
  refused: { code: 4403, reason: 'This credential may not follow the events.' },
  slow: { code: 4408, reason: 'Too slow: events are waiting that you do not read.' },
  silent: { code: 4408, reason: 'No answer to pings.' },
} as const;

/** One reason to close. */
export type Closing = keyof typeof closings;
