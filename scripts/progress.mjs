// Progress of `npm start` and `npm test`: a spinner on a terminal, plain lines in a log. Runs on Node.js 20.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
/** Interval of progress lines in a log. */
const LOG_INTERVAL_MS = 10_000;
/** The number of lines that are shown of a failed command. */
const LAST_LINES = 15;

let running;

/**
 * Shows a title and the elapsed time while `work` runs.
 *
 * @param work - called with a function that shows a line of detail
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
 * Runs a command as a step.
 *
 * @param advice - what to do when it fails
 * @returns its stdout
 * @throws Error with the last lines of its output, and the advice
 */
export function run(title, command, args, { cwd, env = process.env, advice = '' } = {}) {
  return step(title, async (report) => {
    // The command has its own process group, so that `cancel` reaches its children.
    running = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', all: '' };
    for (const name of ['stdout', 'stderr']) {
      running[name].setEncoding('utf8').on('data', (text) => {
        if (name === 'stdout') output.stdout += text;
        output.all += text;
        const lines = stripVTControlCharacters(text).split('\n');
        // turbo prefixes each line with its task, also empty ones.
        const last = lines.findLast((line) => !/^$|:$/.test(line.trim()));
        if (last) report(last.trim());
      });
    }
    const [code] = await once(running, 'close');
    running = undefined;
    if (code === 0) return stripVTControlCharacters(output.stdout);
    const last = stripVTControlCharacters(output.all).trim().split('\n').slice(-LAST_LINES).join('\n');
    throw new Error(`${title} failed:\n\n${last}\n\n${advice}`.trimEnd());
  });
}

/** Runs a command with the terminal of this process. Returns its exit code. */
export async function runHere(command, args) {
  running = spawn(command, args, { stdio: 'inherit', detached: true });
  const [code] = await once(running, 'exit');
  running = undefined;
  return code ?? 1;
}

/** Ends the running command. Returns whether there is one. */
export function cancel() {
  if (running) process.kill(-running.pid, 'SIGTERM');
  return running !== undefined;
}

/** Runs a script. A signal ends its running command, or the script. Prints why it failed otherwise. */
export async function main(work) {
  let isCancelled = false;
  onEnd(() => {
    isCancelled = true;
    if (!cancel()) process.exit(1);
  });
  try {
    await work();
  } catch (error) {
    if (!isCancelled) console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

/** Calls `end` at each signal that ends a program, and when npm is killed. */
export function onEnd(end) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  // A killed npm forwards no signal, but its children get another parent.
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(timer);
    end();
  }, 500).unref();
}
