import { createLog, isDatabaseUnavailable, logOutput, type Service } from '@petstore-platform/server-runtime/operate';
import pg from 'pg';

/** Reports why a command failed, to stderr or, for a server that no terminal shows, to its log. `--help` ends by an error, too. */
export async function report(service: Service, error: unknown, isServing: boolean): Promise<void> {
  if (isOfCommander(error) && (error as { exitCode?: number }).exitCode === 0) return;
  if (isServing && !process.stdout.isTTY) {
    createLog('fatal').fatal(explain(error));
    await logOutput.flush();
  } else console.error(`${service.command}: ${explain(error)}`);
  process.exitCode = 1;
}

const isOfCommander = (error: unknown) => `${(error as { code?: unknown }).code}`.startsWith('commander.');

/** The error as one line for stderr. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return explain(error.errors[0]);
  const { message, code } = error as NodeJS.ErrnoException;
  if (code === 'commander.help') return 'expected a command; try --help';
  if (isOfCommander(error))
    return message
      .replace(/^error: /, '')
      .replace('. must be', ': it must be')
      .replaceAll(/\s+/g, ' ');
  return isDatabaseUnavailable(error) || error instanceof pg.DatabaseError ? `Database: ${message}` : message;
}
