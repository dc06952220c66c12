// Steps of a start: a line with a spinner on a terminal, plain lines in a log. Node.js 20 or later.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
/** How often a log is told that a step still runs. */
const LOG_INTERVAL_MS = 10_000;
/** As many lines of a command that failed are shown. */
const LAST_LINES = 15;

let running;

/**
 * Shows that `work` is being done, and for how long.
 *
 * @param work - gets a function that takes what is happening right now, as one line
 */
export async function step(title, work) {
  const { stderr } = process;
  const began = performance.now();
  let now = '';
  let frame = 0;
  const line = () => {
    const seconds = Math.floor((performance.now() - began) / 1_000);
    return `${title}${seconds > 0 ? `, ${seconds} s` : ''}${now && `: ${now}`}`;
  };
  const spin = () =>
    stderr.write(`\r\x1b[2K${`${FRAMES[frame++ % FRAMES.length]} ${line()}`.slice(0, stderr.columns - 1)}`);
  if (!stderr.isTTY) stderr.write(`• ${title}\n`);
  const timer = setInterval(
    stderr.isTTY ? spin : () => stderr.write(`  ${line()}\n`),
    stderr.isTTY ? 100 : LOG_INTERVAL_MS,
  );
  try {
    return await work((text) => {
      now = text;
    });
  } finally {
    clearInterval(timer);
    now = '';
    if (stderr.isTTY) stderr.write(`\r\x1b[2K• ${line()}\n`);
  }
}

/**
 * Runs a command, as a step.
 *
 * @param advice - what to do when it fails
 * @returns its output
 * @throws Error with its last lines and the advice when it fails
 */
export function run(title, command, args, { env = process.env, advice = '' } = {}) {
  return step(title, async (report) => {
    // A group of its own, so that `cancel` reaches all that it starts.
    running = spawn(command, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', all: '' };
    for (const name of ['stdout', 'stderr']) {
      running[name].setEncoding('utf8').on('data', (text) => {
        if (name === 'stdout') output.stdout += text;
        output.all += text;
        report(text.trim().split('\n').at(-1));
      });
    }
    const [code] = await once(running, 'close');
    running = undefined;
    if (code === 0) return output.stdout;
    const last = output.all.trim().split('\n').slice(-LAST_LINES).join('\n');
    throw new Error(`${title} failed:\n\n${last}\n\n${advice}`.trimEnd());
  });
}

/** Ends the command that is running. */
export function cancel() {
  if (running) process.kill(-running.pid, 'SIGTERM');
}
