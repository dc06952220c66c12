/** Uploads, downloads, and bodies that are not JSON, in an SDK. */
import type { Content, Operation } from '../contract.ts';
import { JSON_MEDIA } from '../media.ts';
import { quoted } from './values.ts';

/** How a body that is not JSON is read. */
export const READS: { readonly [kind in Content['kind']]?: string } = { text: 'text', bytes: 'blob' };

/** Whether the successes of an operation are redirections. */
export const isRedirect = ({ success }: Pick<Operation, 'success'>) =>
  success.length > 0 && success.every(({ status }) => status.startsWith('3'));

/** Whether the body of an operation may be large. */
export const isUpload = ({ body }: Operation) => body?.kind === 'bytes' || body?.kind === 'parts';

/** All media types of the successes of an operation. */
const mediasOf = ({ success }: Operation): Content[] =>
  success.flatMap(({ body }) => (body ? [body, ...body.others] : []));

const isDownload = (operation: Operation) => mediasOf(operation).some(({ kind }) => kind === 'bytes');

/** The media types of the success with a body, the first as the default, and how each is read. Empty for JSON alone, and for several. */
export function acceptOf(operation: Operation): Record<string, string> {
  if (isRedirect(operation) || operation.success.filter(({ body }) => body).length !== 1) return {};
  const accept = Object.fromEntries(mediasOf(operation).map(({ media, kind }) => [media, READS[kind] ?? 'json']));
  return Object.keys(accept).every((media) => media === JSON_MEDIA) ? {} : accept;
}

/** Whether the response of an operation is a stream of events. */
export const isEvents = (operation: Operation) => mediasOf(operation).some(({ kind }) => kind === 'events');

/** The names of options that other calls do not have. */
export function optionsOf(operation: Operation): string[] {
  return [
    ...(Object.keys(acceptOf(operation)).length > 1 ? ['accept'] : []),
    ...(isDownload(operation) || isEvents(operation) ? ['as'] : []),
    ...(isUpload(operation) ? ['onProgress'] : []),
  ];
}

/** Further options of an operation, and the type of the call with them. */
export function choicesOf(operation: Operation): [options: string, call: string][] {
  const accept = Object.keys(acceptOf(operation)).length > 1;
  return mediasOf(operation).flatMap(({ media, kind, text }, index) => {
    const isFirst = index === 0;
    const chosen = `{ readonly accept${isFirst ? '?' : ''}: ${quoted(media)} }`;
    const choices: [string, string][] = [];
    if (kind === 'bytes')
      choices.push([accept ? `StreamOptions & ${chosen}` : 'StreamOptions', 'Call<ReadableStream<Uint8Array>>']);
    if (accept && !isFirst) choices.push([chosen, `Call<${text}>`]);
    return choices;
  });
}

/** Whether an SDK has bodies that are not JSON. */
export const hasFormats = (operations: Operation[]) =>
  operations.some(
    (operation) =>
      (operation.body?.media ?? JSON_MEDIA) !== JSON_MEDIA ||
      mediasOf(operation).some(({ media }) => media !== JSON_MEDIA),
  );

/** Whether an SDK has uploads, downloads or redirections. */
export const hasFiles = (operations: Operation[]) =>
  operations.some(
    (operation) => isRedirect(operation) || isUpload(operation) || isDownload(operation) || isEvents(operation),
  );
