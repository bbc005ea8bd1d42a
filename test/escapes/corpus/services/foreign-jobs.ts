import type { ServiceClass } from '../attempt.ts';

const enqueue = (type: string, more = ''): string =>
  `await host.jobs.enqueue({ type: ${JSON.stringify(type)}${more} }); return won;`;

/** Jobs of the type `tidy` are granted. The victim waits for a time of its own, named `theirs`. */
export const foreignJobs: ServiceClass = {
  name: 'jobs and times of others',
  by: 'burglar',
  control: `const { jobId } = await host.jobs.enqueue({ type: 'tidy' }); await host.schedule.set({ name: 'mine', at: Date.now() + 1e8 }); return jobId && (await host.schedule.list({})).wakes.length === 1 ? 'ok' : null;`,
  attempts: {
    'a scan': enqueue('scan'),
    'an ingest': enqueue('probe'),
    'a refresh': enqueue('refresh'),
    'a backup': enqueue('backup'),
    'a type in capitals': enqueue('TIDY'),
    'a type with spaces': enqueue(' tidy'),
    'a type with NUL': enqueue('tidy\0scan'),
    'a type with the name of a prototype': enqueue('__proto__'),
    'a type as a list': `await host.jobs.enqueue({ type: ['tidy', 'scan'] }); return won;`,
    'a library that is not there': enqueue('tidy', ", libraryId: 'nobody'"),
    'SQL in the library': enqueue('tidy', `, libraryId: "' or 1=1 --"`),
    'a field of the queue': enqueue('tidy', ", state: 'done'"),
    'a priority of its own': enqueue('tidy', ', priority: 1e9'),
    'keys of prototypes in the payload': enqueue('tidy', `, payload: JSON.parse('{"constructor":{"prototype":{}}}')`),
    'a payload that is a list': enqueue('tidy', ', payload: []'),
    'the times of another': `const { wakes } = await host.schedule.list({}); return wakes.some(({ name }) => name === 'theirs') ? won : null;`,
    'the times of another by a field': `return host.schedule.list({ pluginId: 'victim' });`,
    'the end of a time of another': `await host.schedule.clear({ name: 'theirs' }); return null;`,
    'another time for another': `await host.schedule.set({ name: 'theirs', at: Date.now() + 1e8 }); await host.schedule.clear({ name: 'theirs' }); return null;`,
    'a time for another by its name': `await host.schedule.set({ name: 'victim\\ntheirs', at: Date.now() + 1e8 }); await host.schedule.clear({ name: 'victim\\ntheirs' }); return null;`,
    'a time every millisecond': `await host.schedule.set({ name: 'often', at: 0, everyMs: 1 }); return won;`,
    'a time in a thousand years': `await host.schedule.set({ name: 'late', at: Date.now() + 3e13 }); return won;`,
    'times without end': `for (let i = 0; i < 120; i++) await host.schedule.set({ name: 'n' + i, at: Date.now() + 1e8 }); return won;`,
  },
}; // oxfmt-ignore
