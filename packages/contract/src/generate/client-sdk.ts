import { inspect } from 'node:util';
import { type Document, pascalCase } from '../contract.ts';
import { hasCredentials, isEmpty } from '../security.ts';
import type { Sdk } from '../targets.ts';
import { isPaged, sent, stylesOf } from './client.ts';
import { hasFiles, hasFormats, isEvents } from './client-files.ts';
import type { Named } from './describe.ts';
import { CLIENT_RUNTIME } from './names.ts';
import { exampleOf } from './reference.ts';
import { prose, quoted, visible } from './values.ts';

/** The words of an SDK, which its documentation and its code name. */
export interface Words {
  /** The variable that holds a client in samples, such as `shop`. */
  variable: string;
  /** The beginning of its classes, such as `Shop`. */
  Name: string;
  /** The beginning of its environment variables, such as `SHOP`. */
  prefix: string;
  /** In its header, such as `shop` of `x-shop-client`. */
  dashed: string;
  /** A list in examples: its method, its call and its path, as code in a comment. */
  list: { name: string; call: string; path: string };
}

/** The words of an SDK. The examples have the first list that has an example itself. */
export function wordsOf({ variable }: Pick<Sdk, 'variable'>, operations: Named[]): Words {
  const list = operations.find((one) => isPaged(one) && one.stability === undefined && exampleOf(one));
  const { parameters = {} } = (list && exampleOf(list)) ?? {};
  const args = Object.keys(parameters).length > 0 ? inspect(parameters, { breakLength: Infinity }) : '';
  const inComment = (code: string) => prose(visible(code).replaceAll('*/', '*\\/'));
  const name = list?.name ?? 'listItems';
  return {
    variable,
    Name: pascalCase(variable),
    prefix: variable.replace(/[A-Z]/g, '_$&').toUpperCase(),
    dashed: variable.replace(/[A-Z]/g, '-$&').toLowerCase(),
    list: {
      name: inComment(name),
      call: inComment(`${name}(${args})`),
      path: inComment(quoted(list?.path ?? '/items')),
    },
  };
}

/** The facts of the contract for the runtime, and the class of the SDK's errors. */
export function clientSdk(document: Document, operations: Named[], { version = '0.0.0' }: Sdk, words: Words): string {
  const { Name, prefix, dashed } = words;
  const [formatOf, entry] = hasFiles(operations)
    ? ['filesOf', 'files']
    : hasFormats(operations)
      ? ['formatOf', 'formats']
      : [];
  const hasStyles = operations.some(
    (one) =>
      stylesOf(one).length > 0 || !isEmpty(one.body?.styles ?? {}) || sent(one).some((each) => each.in === 'cookie'),
  );
  const reads = hasStyles ? `stylesOf(${formatOf ?? ''})` : formatOf;
  const isSecured = hasCredentials(operations);
  const withEvents = operations.some(isEvents);
  const credentials = isSecured ? 'credentialsOf(security)' : '';
  const wrap = withEvents ? `eventsOf(operations${credentials && `, ${credentials}`})` : credentials;
  const isOwn = document['x-error'] !== undefined;
  const failures = `import { type FailureBody, type FailureCode, failures } from './failure.ts';`;
  const imports = [
    `import { CallError, ${isOwn ? '' : 'failures, '}type OwnCode, type Sdk } from '${CLIENT_RUNTIME}';`,
    withEvents && `import { eventsOf } from '${CLIENT_RUNTIME}/events';`,
    isSecured && `import { credentialsOf } from '${CLIENT_RUNTIME}/credentials';`,
    formatOf && `import { ${formatOf} } from '${CLIENT_RUNTIME}/${entry}';`,
    hasStyles && `import { stylesOf } from '${CLIENT_RUNTIME}/styles';`,
    isOwn ? failures : `import type { ErrorBody } from './operations.ts';`,
    isSecured && `import { security } from './security.ts';`,
    `import { environments, operations } from './table.ts';`,
  ];
  const types = isOwn
    ? `export type { FailureBody, FailureCode } from './failure.ts';`
    : `/** The body of a failure. */
export type FailureBody = ErrorBody;

/** The codes that a failure may have. */
export type FailureCode = ErrorBody['code'];`;
  return `${imports.filter(Boolean).join('\n')}

${types}

/**
 * The kind of failure: a \`code\` of the contract, or one of this package's own three.
 *
 * - \`network_error\`: no response, or a connection that broke while the body arrived. \`cause\` has the reason.
 * - \`timeout\`: no complete response within \`timeout\` or \`totalTimeout\`.
 * - \`unexpected_response\`: a response that the contract does not define, such as the HTML page of a proxy.
 */
export type ErrorCode = FailureCode | OwnCode;

/**
 * The error with which a call rejects if it was sent and got no successful response as the contract defines it. \`message\` is one
 * line for logs: operation, status, code, the service's message and the request id. \`cause\` is the exception of \`fetch\`, or a copy
 * without the API key.
 */
export class ${Name}Error extends CallError {
  /** The kind of failure. New codes may be added: treat an unknown one by its \`status\`. */
  declare readonly code: ErrorCode;
  /** The body, if it is the one that the contract defines for the status; otherwise undefined. */
  declare readonly body: FailureBody | undefined;
  /** \`'${Name}Error'\` */
  override get name(): '${Name}Error' {
    return '${Name}Error';
  }
}

/** The facts of the contract, and the names of this SDK. */
export const sdk: Sdk = {
  name: ${quoted(prefix)},
  headers: { ${quoted(`x-${dashed}-client`)}: ${quoted(`js/${version}`)} },
  environments,
  operations,
  Error: ${Name}Error,
  failures,
${reads ? `  formatOf${reads === 'formatOf' ? '' : `: ${reads}`},\n` : ''}${wrap ? `  wrap: ${wrap},\n` : ''}};
`;
}
