// Loaded before the exporter with node --import. Instruments src, and records calls on request of the parent process.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { repository } from '../fixtures/repository.ts';
import { instrument } from './instrument.ts';
import { type Origin, type RecordedFunction, Recorder } from './recorder.ts';

/** The methods of src at which a measurement begins and ends. If you rename a method in src, change its name here. */
const landmarks = { poll: 'Poller.poll', store: 'AccountStore.set' };

/** A command of the parent process. `poll` makes a complete poll. */
export type Command = { readonly figure: number; readonly from: Origin } | 'poll' | 'stop';

/** The reply to a command. Only `stop` returns functions. `error` is the message of a failure. */
export type Reply = { readonly functions?: readonly RecordedFunction[]; readonly error?: string };

const recorder = new Recorder(landmarks);
Object.assign(globalThis, { sizeRecorder: recorder });

const src = pathToFileURL(join(repository, 'src/')).href;
registerHooks({
  load: (url, context, nextLoad) => {
    const module = nextLoad(url, context);
    if (!url.startsWith(src) || !url.endsWith('.ts')) return module;
    const file = fileURLToPath(url).slice(repository.length + 1);
    return { ...module, source: instrument(file, String(module.source), (code) => recorder.define(code)) };
  },
});

async function obey(command: Command): Promise<Reply> {
  if (command === 'poll') await recorder.poll();
  else if (command === 'stop') return { functions: recorder.stop() };
  else recorder.start(command.figure, command.from);
  return {};
}

process.on('message', (command: Command) => {
  obey(command).then(
    (reply) => process.send?.(reply),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
