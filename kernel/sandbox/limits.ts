/** The amounts that hold at the boundary, on both of its ends. */
export const limits = {
  /** One body: the input or output of a call, a script, a range of bytes. */
  bodyBytes: 8 * 1024 * 1024,
  /** Of a batch: the JSON that describes its frames, their number, and where a sender ends it. */
  headerBytes: 1024 * 1024,
  batchFrames: 4096,
  batchTargetBytes: 1024 * 1024,
  headerTargetBytes: 256 * 1024,
  /** One batch with all of it: a header, and bodies that are one alone where it is that large. */
  batchBytes: 9 * 1024 * 1024 + 4,
  /** What may wait in memory for a host process to read it. */
  backlogBytes: 64 * 1024 * 1024,
  /** What a plugin may send in a second, and what a host process may. */
  guestBytesPerSecond: 64 * 1024 * 1024,
  hostBytesPerSecond: 256 * 1024 * 1024,
  hostFramesPerSecond: 250_000,
  /** How long the server reads what an installed plugin sends, in the long run: its thread is one. */
  readMsPerSecond: 150,
  /** After so much of one host process the server looks at all else first, then reads on. */
  turnMs: 8,
  turnFrames: 512,
  turnTextLength: 64 * 1024,
  /** Late and foreign frames a second after which a host process is ended. */
  droppedPerSecond: 2000,
  callsInFlight: 4096,
  inputBytesInFlight: 64 * 1024 * 1024,
  hostCallsInFlight: 64,
  timers: 1000,
  logLineLength: 2000,
  logLinesBurst: 200,
  logLinesPerSecond: 50,
  /** Of a stack, and how many of them a plugin may send. */
  stackLength: 2000,
  stacksBurst: 20,
  stacksPerSecond: 5,
  messageLength: 500,
  codeLength: 64,
  /** JSON of a viewer. */
  viewerLength: 1000,
  /** Faults of the protocol after which a host process is ended. */
  faults: 8,
  /** Frames that a guest is given in one entry. */
  framesPerEntry: 64,
  /** An entry that lasted longer makes the next ones smaller. */
  longEntryMs: 25,
  /** How long one entry may hold an isolate while another call of it misses its deadline. */
  overrunMs: 1000,
  /** How long code may run on past its timeout, and then past its disposal. */
  graceMs: 250,
  /** How long a disposed guest may take to leave its thread, computing or not. */
  lostMs: 3000,
  watchMs: 50,
  /** How often the kernel looks how large a host process is. */
  memoryWatchMs: 100,
  /** How long a process may be above its cap when whoever is to blame has been ended. */
  overCapMs: 100,
  /** CPU time after which the loop of the self-test counts as one that nothing ends, and time in all. */
  selfTestCpuMs: 1000,
  selfTestMs: 10_000,
  beatMs: 1000,
  silentBeats: 6,
  /** The process that looks whether it is alone, on a machine that does much else. */
  isolationProbeMs: 10_000,
  startMs: 10_000,
  evaluationMs: 5000,
  /** After so long the next plugin starts beside one that is still starting. */
  startTurnMs: 1000,
  /** Nobody waits longer for the turn to start. */
  startWaitMs: 10_000,
} as const;
