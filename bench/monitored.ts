import { monitorEventLoop } from './event-loop.ts';

// Node.js loads this module before the program. Each message from the parent process is answered with what happened since the last one.

let report = monitorEventLoop();
process.on('message', () => {
  process.send?.(report());
  report = monitorEventLoop();
});
// The program ends although it could receive messages.
process.channel?.unref();
