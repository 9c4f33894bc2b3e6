import { spawn } from 'node:child_process';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  /** Variables in addition to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program and returns its exit code and output. Rejects only if the program cannot be started. */
export function outcomeOf(program: string, args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a program and returns its stdout. Rejects with its output if it fails. */
export async function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await outcomeOf(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
}
