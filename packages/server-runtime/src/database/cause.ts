import pg from 'pg';

/** The reason why the database does not serve, for `/readyz` and the log. */
export type Cause =
  | 'unreachable'
  | 'authentication'
  | 'tls'
  | 'too_many_connections'
  | 'privileges'
  | 'read_only'
  | 'schema'
  | 'pooler'
  | 'version';

/** The causes by SQLSTATE, or the beginning of one. Messages are no use: they are in the language of the server. */
const CAUSES: [state: RegExp, cause: Cause][] = [
  [/^28/, 'authentication'],
  [/^53300$/, 'too_many_connections'],
  [/^42501$/, 'privileges'],
  [/^25006$/, 'read_only'],
  // No such database, table, column or function.
  [/^(3D000|3F000|42P01|42703|42883)$/, 'schema'],
  // A prepared statement that is missing, or that another session has prepared.
  [/^(26000|42P05)$/, 'pooler'],
];

/** Codes of Node.js for certificates and the protocol. */
const TLS =
  /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|ERR_(TLS|SSL|OSSL)_|EPROTO)/;

/** The runtime reports a Postgres that is too old by a message, and pg that one side does not speak TLS, or that a password is missing. */
const MESSAGES: [message: RegExp, cause: Cause][] = [
  [/SSL connection/, 'tls'],
  [/SASL|password must be a string/, 'authentication'],
  [/^Postgres \d+ is older/, 'version'],
];

/** The cause of a failed statement or connection. Default: `unreachable` */
export function causeOf(error: unknown): Cause {
  if (error instanceof AggregateError) return causeOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unreachable';
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof pg.DatabaseError) return CAUSES.find(([state]) => state.test(code))?.[1] ?? 'unreachable';
  if (TLS.test(code)) return 'tls';
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? 'unreachable';
}
