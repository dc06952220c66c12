let lines = '';

function flush(): void {
  process.stdout.write(lines);
  lines = '';
}

/**
 * Where log lines go: standard output, in one write for each turn of the event loop. A write for each line costs more than
 * all else about logging; the last lines are written when the process exits, whatever ends it.
 */
export const logOutput = {
  write(line: string): void {
    if (lines === '') setImmediate(flush);
    lines += line;
  },
};

process.on('exit', flush);
// Whoever read the lines has gone, as in `petstore-server serve | head`: no reason to stop serving.
process.stdout.on('error', () => {});
