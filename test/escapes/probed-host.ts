/** The plugin host as it is, with canaries planted around it. Built into one file by the suite. */
import './planted-canary.ts';
import '../../kernel/run/sandbox/host-process.ts';
