/** The limits at the boundary, on both of its ends. */
export const limits = {
  /** One body: the input or output of a call, a script, a range of bytes. */
  bodyBytes: 8 * 1024 * 1024,
  /** Of a batch: the JSON header of its frames, their number, and where a sender ends it. */
  headerBytes: 1024 * 1024,
  batchFrames: 4096,
  batchTargetBytes: 1024 * 1024,
  headerTargetBytes: 256 * 1024,
  /** One batch in all: a header and its bodies, or one large body. */
  batchBytes: 9 * 1024 * 1024 + 4,
  /** The most that may wait in memory for a host process to read it. */
  backlogBytes: 64 * 1024 * 1024,
  /** What a plugin, and what a host process, may send in a second. */
  guestBytesPerSecond: 64 * 1024 * 1024,
  hostBytesPerSecond: 256 * 1024 * 1024,
  hostFramesPerSecond: 250_000,
  /** The long-term limit of the server's time for reading an installed plugin. */
  readMsPerSecond: 150,
  /** After this much of one host process the server does other work first, then reads on. */
  turnMs: 8,
  turnFrames: 512,
  turnTextLength: 64 * 1024,
  /** Late and foreign frames per second after which a host process is ended. */
  droppedPerSecond: 2000,
  callsInFlight: 4096,
  inputBytesInFlight: 64 * 1024 * 1024,
  hostCallsInFlight: 64,
  timers: 1000,
  logLineLength: 2000,
  logLineRate: { capacity: 200, refill: 50, everyMs: 1000 },
  stackLength: 2000,
  stackRate: { capacity: 20, refill: 5, everyMs: 1000 },
  messageLength: 500,
  codeLength: 64,
  /** JSON of a viewer. */
  viewerLength: 1000,
  /** Protocol faults after which a host process is ended. */
  faults: 8,
  /** Frames in one entry of a guest. */
  framesPerEntry: 64,
  /** An entry that lasts longer makes the next ones smaller. */
  longEntryMs: 25,
  /** How long one entry may block an isolate after another call of it missed its deadline. */
  overrunMs: 1000,
  /**
   * The least time that an entry gets, however little is left of its call. On a busy machine a short
   * entry waits for a processor, and must not end its plugin.
   */
  entryMs: 1000,
  /** How long code may run past its timeout, and then past its disposal. */
  graceMs: 250,
  /** How long a disposed guest may take to leave its thread, computing or not. */
  lostMs: 3000,
  watchMs: 50,
  /** How often the kernel measures the size of a host process. */
  memoryWatchMs: 100,
  /** How long a process may stay above its cap after the guest at fault was ended. */
  overCapMs: 100,
  /** CPU time after which the self-test's loop counts as not interruptible, and its time in all. */
  selfTestCpuMs: 1000,
  selfTestMs: 10_000,
  beatMs: 1000,
  silentBeats: 6,
  /** The time limit of the isolation check; long, for busy machines. */
  isolationProbeMs: 10_000,
  /** Long, for busy machines: a plugin that misses it is not started again. */
  startMs: 30_000,
  evaluationMs: 5000,
  /** After this time the next plugin starts beside one that is still starting. */
  startTurnMs: 1000,
  /** The longest wait for a start. */
  startWaitMs: 10_000,
} as const;
