import { inspect } from 'node:util';
import { type Document, pascalCase } from '../contract.ts';
import { hasCredentials, isEmpty } from '../security.ts';
import type { Sdk } from '../targets.ts';
import { isPaged, sent, stylesOf } from './client.ts';
import { hasFiles, hasFormats, isEvents } from './client-files.ts';
import type { Named } from './describe.ts';
import { exampleOf } from './reference.ts';
import { filled } from './template.ts';
import { prose, quoted, visible } from './values.ts';

export type Words = ReturnType<typeof wordsOf>;

/** The words of an SDK, which its documentation and its code name. The examples have the first list that has an example itself. */
export function wordsOf({ variable }: Pick<Sdk, 'variable'>, operations: Named[]) {
  const list = operations.find((one) => isPaged(one) && one.stability === undefined && exampleOf(one));
  const { parameters = {} } = (list && exampleOf(list)) ?? {};
  const args = Object.keys(parameters).length > 0 ? inspect(parameters, { breakLength: Infinity }) : '';
  const inComment = (code: string) => prose(visible(code).replaceAll('*/', '*\\/'));
  const name = list?.name ?? 'listItems';
  return {
    /** It holds a client in samples, such as `shop`. */
    variable,
    /** The beginning of its classes, such as `Shop`. */
    Name: pascalCase(variable),
    /** That of its environment variables, such as `SHOP`. */
    prefix: variable.replace(/[A-Z]/g, '_$&').toUpperCase(),
    /** In its header, such as `shop` of `x-shop-client`. */
    dashed: variable.replace(/[A-Z]/g, '-$&').toLowerCase(),
    listName: inComment(name),
    listCall: inComment(`${name}(${args})`),
    listPath: inComment(quoted(list?.path ?? '/items')),
  };
}

/** The facts of the contract for the runtime, and the class of the SDK's errors. */
export function clientSdk(document: Document, operations: Named[], { version = '0.0.0' }: Sdk, words: Words): string {
  const [reads, entry] = hasFiles(operations)
    ? ['filesOf', 'files']
    : hasFormats(operations)
      ? ['formatOf', 'formats']
      : [];
  const hasStyles = operations.some(
    (one) =>
      stylesOf(one).length > 0 || !isEmpty(one.body?.styles ?? {}) || sent(one).some((each) => each.in === 'cookie'),
  );
  const secured = hasCredentials(operations);
  const withEvents = operations.some(isEvents);
  const credentials = secured ? 'credentialsOf(security)' : '';
  return filled('client/sdk.ts', {
    ...words,
    version,
    hasErrorBody: document['x-error'] !== undefined,
    secured,
    withEvents,
    hasStyles,
    entry,
    reads,
    formats: hasStyles
      ? `formatOf: stylesOf(${reads ?? ''})`
      : reads && (reads === 'formatOf' ? reads : `formatOf: ${reads}`),
    wrap: withEvents ? `eventsOf(operations${credentials && `, ${credentials}`})` : credentials,
  });
}
