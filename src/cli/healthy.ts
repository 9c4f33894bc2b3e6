import { defineCommand } from './command.ts';
import { askExporters } from './health-socket.ts';

export const command = defineCommand(
  'Check whether the exporter on this machine, or in this container, is healthy. Exits with 1 if no exporter listens, or if an exporter is not healthy. Prints the answer of each unhealthy exporter.',
  (command) => command,
  async (_flags, { stdout }) => {
    const answers = await askExporters();
    const problems = answers.filter((answer) => answer !== 'status 200');
    if (answers.length === 0) stdout.write('no exporter is listening\n');
    else if (problems.length === 0) stdout.write('healthy\n');
    for (const problem of problems) stdout.write(`not healthy: ${problem}\n`);
    return answers.length > 0 && problems.length === 0 ? 0 : 1;
  },
);
