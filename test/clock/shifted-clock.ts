// Loaded before a program with node --import. Shifts the wall clock of this process, of its HTTP servers and of the
// Node.js programs that it starts. The shifted clock begins CLOCK_LEAD milliseconds before the time CLOCK_CROSSING.
import { EventEmitter } from 'node:events';
import { Server, type ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';

const { CLOCK_CROSSING = '', CLOCK_LEAD = '0' } = process.env;
const RealDate = Date;

// Programs that a test starts inherit the shift of the test.
process.env['CLOCK_SHIFT'] ??= String(RealDate.parse(CLOCK_CROSSING) - Number(CLOCK_LEAD) - RealDate.now());
const shift = Number(process.env['CLOCK_SHIFT']);
if (!Number.isFinite(shift)) throw new Error(`CLOCK_CROSSING=${CLOCK_CROSSING} is not a time`);

const now = () => RealDate.now() + shift;

const ShiftedDate = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
globalThis.Date = ShiftedDate;

// Without this header, Node.js would write a Date header with the time of the system.
for (const server of [Server, TlsServer]) {
  Object.defineProperty(server.prototype, 'emit', {
    value(this: EventEmitter, event: string, ...values: unknown[]) {
      if (event === 'request') (values[1] as ServerResponse).setHeader('Date', new ShiftedDate().toUTCString());
      return EventEmitter.prototype.emit.call(this, event, ...values);
    },
  });
}
