import { type EventLoopReport, monitorEventLoop } from './event-loop.ts';

// Node.js loads this module before the program. The first message from the parent process starts to monitor the event loop. Each further
// message is answered with a report, and starts the next one.

let report: (() => EventLoopReport) | undefined;
process.on('message', () => {
  process.send?.(report?.() ?? 'started');
  report = monitorEventLoop();
});
// The program ends although it could receive messages.
process.channel?.unref();
