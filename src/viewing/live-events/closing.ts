/** Why the feed closes a connection: code and reason of the WebSocket close. */
export const closings = {
  stopping: { code: 1001, reason: 'The server is stopping; connect again in a moment.' },
  notText: { code: 1003, reason: 'Messages must be text.' },
  notJson: { code: 1007, reason: 'Messages must be JSON.' },
  flood: { code: 1008, reason: 'Too many messages.' },
  failed: { code: 1011, reason: 'The server could not check which events you may see.' },
  full: { code: 1013, reason: 'Too many clients follow the events; try again later.' },
  nobody: { code: 4401, reason: 'The first message must be auth, with a valid token.' },
  ended: { code: 4401, reason: 'The credential ended, or its permissions changed; connect again.' },
  refused: { code: 4403, reason: 'This credential may not follow the events.' },
  slow: { code: 4408, reason: 'Too slow: you do not read the waiting events.' },
  silent: { code: 4408, reason: 'No answer to pings.' },
} as const;

/** One reason to close. */
export type Closing = keyof typeof closings;
