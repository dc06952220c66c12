/** What a request or a response is made of, besides its schemas: parameters, headers, bodies and statuses. */
import type { Changes, Message } from './changes.ts';
import { type Effect, type Finding, finding } from './finding.ts';
import { describe } from './label.ts';
import { contentOf, headersOf, type Operation, parametersOf } from './operations.ts';
import type { Place } from './place.ts';
import { compareDefault, compareDeprecation, isSame } from './schema/parts.ts';
import { SchemaComparison } from './schema/schema.ts';
import { canonical, Shape } from './schema/shape.ts';
import { wordless, wordsOf } from './words.ts';

export class MessageComparison {
  readonly #changes: Changes;
  readonly #schemas: Record<'request' | 'response', SchemaComparison>;

  /** @param gone - what to tell of component schemas that head no longer has */
  constructor(changes: Changes, gone: ReadonlyMap<string, Finding>) {
    this.#changes = changes;
    this.#schemas = {
      request: new SchemaComparison('request', gone),
      response: new SchemaComparison('response', gone),
    };
  }

  /** How many pairs of schemas were compared. */
  get compared(): number {
    return this.#schemas.request.compared + this.#schemas.response.compared;
  }

  parameters(old: Operation, now: Operation, message: Message): void {
    const [before, after] = [parametersOf(old), parametersOf(now)];
    for (const [key, place] of before) {
      const other = after.get(key);
      if (other) this.#parameter(place, other, message);
      else this.#found(message, 'parameter-removed', 'changed', place, `The ${describe(place)} was removed.`);
    }
    for (const [key, place] of after) {
      if (!before.has(key)) this.#added('parameter', place, `The ${describe(place)}`, message);
    }
  }

  #parameter(old: Place, now: Place, message: Message): void {
    const subject = `The ${describe(now)}`;
    this.#required('parameter', subject, old, now, message);
    this.#serialized('parameter', subject, old, now, message);
    const isEmpty = (place: Place) => place.value.allowEmptyValue === true;
    if (isEmpty(old) !== isEmpty(now)) {
      const text = `${subject} may ${isEmpty(now) ? 'now' : 'no longer'} be empty.`;
      const rule = `parameter-empty-value-${isEmpty(now) ? 'allowed' : 'disallowed'}`;
      this.#found(message, rule, isEmpty(now) ? 'wider' : 'narrower', now, text);
    }
    for (const one of compareDeprecation(new Shape([old]), new Shape([now])))
      this.#changes.found({ ...one, rule: `parameter-${one.rule}` }, message);
  }

  /** A parameter or a header: how it is written, and what it holds. */
  #serialized(thing: 'parameter' | 'header', subject: string, old: Place, now: Place, message: Message): void {
    const hasParts = mayHaveParts(old) || mayHaveParts(now);
    const [before, after] = [serialization(old, hasParts), serialization(now, hasParts)];
    if (before !== after) {
      const text = `${subject} is written another way: ${after}; it was ${before}.`;
      this.#found(message, `${thing}-serialization-changed`, 'changed', now, text);
    }
    const [isDocument, isNowDocument] = [old.at('content').exists, now.at('content').exists];
    if (isDocument && isNowDocument) this.#content(old, now, thing, message);
    else if (!isDocument && !isNowDocument) this.#schema(old, now, isRequired(old) && isRequired(now), message);
    this.#words(old, now, message);
  }

  #added(thing: string, place: Place, subject: string, message: Message): void {
    const required = isRequired(place);
    const effect: Effect = message.direction === 'response' ? 'compatible' : required ? 'narrower' : 'wider';
    const rule = `${thing}-added${required ? '-required' : thing === 'body' ? '-optional' : ''}`;
    this.#found(message, rule, effect, place, `${subject} was added${required ? ', required' : ''}.`);
  }

  #required(thing: string, subject: string, old: Place, now: Place, message: Message): void {
    const required = isRequired(now);
    if (isRequired(old) === required) return;
    const place = now.at('required').exists ? now.at('required') : now;
    const rule = `${thing}-became-${required ? 'required' : 'optional'}`;
    const text = `${subject} is ${required ? 'now' : 'no longer'} required.`;
    this.#found(message, rule, required ? 'narrower' : 'wider', place, text);
  }

  /** @param needed - whether what the schema is for must be there, and so has no use for a default */
  #schema(old: Place, now: Place, needed: boolean, message: Message): void {
    const [base, head] = [schemaOf(old), schemaOf(now)];
    const schemas = this.#schemas[message.direction];
    for (const one of schemas.findings(base, head)) this.#changes.found(one, message);
    for (const one of compareDefault(schemas, new Shape(base), new Shape(head), needed))
      this.#changes.found(one, message);
  }

  body(old: Place, now: Place, message: Message): void {
    if (old.exists && now.exists) {
      this.#required('body', 'The request body', old, now, message);
      this.#content(old, now, 'body', message);
      this.#words(old, now, message);
    } else if (old.exists) {
      this.#found(message, 'body-removed', 'changed', old, 'The request body was removed.');
    } else if (now.exists) {
      this.#added('body', now, 'A request body', message);
    }
  }

  #content(old: Place, now: Place, thing: string, message: Message): void {
    const [before, after] = [contentOf(old), contentOf(now)];
    const receives = message.direction === 'response';
    for (const [type, place] of before) {
      const other = after.get(type) ?? (receives ? undefined : rangeOver(type, after));
      if (other === undefined) {
        const text = `${describe(old)} no longer has the content type \`${type}\`.`;
        this.#found(message, `${thing}-media-type-removed`, receives ? 'changed' : 'narrower', place, text);
        continue;
      }
      this.#schema(place, other, true, message);
      this.#encoding(place.at('encoding'), other.at('encoding'), thing, message);
      this.#words(place, other, message);
    }
    for (const [type, place] of after) {
      if (before.has(type) || rangeOver(type, before)) continue;
      const text = `${describe(now)} also has the content type \`${type}\`.`;
      this.#found(message, `${thing}-media-type-added`, receives ? 'compatible' : 'wider', place, text);
    }
  }

  #encoding(old: Place, now: Place, thing: string, message: Message): void {
    if (canonical(old.value) === canonical(now.value)) return;
    const effect = canonical(wordless(old.value)) === canonical(wordless(now.value)) ? 'words' : 'changed';
    const at = now.exists ? now : old;
    const verb = effect === 'words' ? 'described' : 'encoded';
    const text = `How the parts of ${describe(at.parent)} are ${verb} was changed.`;
    this.#found(message, `${thing}-encoding-changed`, effect, at, text);
  }

  response(old: Place, now: Place, message: Message): void {
    this.#content(old, now, 'body', message);
    this.#words(old, now, message);
    const [before, after] = [headersOf(old), headersOf(now)];
    for (const [name, place] of before) {
      const other = after.get(name);
      if (other === undefined) {
        this.#found(message, 'header-removed', 'changed', place, `${describe(place)} of ${describe(old)} was removed.`);
        continue;
      }
      const [header, newHeader] = [place.follow(), other.follow()];
      this.#required('header', describe(newHeader), header, newHeader, message);
      this.#serialized('header', describe(newHeader), header, newHeader, message);
    }
    for (const [name, place] of after) {
      if (before.has(name)) continue;
      const receives = message.direction === 'response';
      const effect: Effect = receives ? 'compatible' : isRequired(place.follow()) ? 'narrower' : 'wider';
      this.#found(message, 'header-added', effect, place, `${describe(place)} of ${describe(now)} was added.`);
    }
  }

  /** Whether a client that is written for one response can do with the other. */
  hasSameBody(old: Place, now: Place): boolean {
    const [before, after] = [contentOf(old), contentOf(now)];
    const isSameAs = (place: Place, other: Place | undefined) =>
      other !== undefined && isSame(this.#schemas.response, schemaOf(place), schemaOf(other));
    return before.size === after.size && [...before].every(([type, place]) => isSameAs(place, after.get(type)));
  }

  #words(old: Place, now: Place, message: Message): void {
    for (const one of wordsOf([old], [now])) this.#changes.found(one, message);
  }

  #found(message: Message, rule: string, effect: Effect, place: Place, text: string): void {
    this.#changes.found(finding(rule, effect, place, text), message);
  }
}

const isRequired = ({ value }: Place) => value.required === true;

const schemaOf = (owner: Place) => (owner.at('schema').exists ? [owner.at('schema')] : []);

/** How a parameter or a header becomes text, with the defaults written out (OpenAPI 3.1, Parameter Object). */
function serialization({ value }: Place, hasParts: boolean): string {
  const { in: where = 'header', style, explode, allowReserved, content } = value;
  if (content !== undefined) return 'as a document';
  const shown = style ?? (where === 'query' || where === 'cookie' ? 'form' : 'simple');
  const parts = [`style \`${shown}\``];
  if (hasParts && (explode ?? shown === 'form')) parts.push('exploded');
  if (allowReserved === true) parts.push('reserved characters as they are');
  return parts.join(', ');
}

/** Only lists and objects have parts to keep together or apart. */
function mayHaveParts(owner: Place): boolean {
  const { types } = new Shape(schemaOf(owner));
  return types.size < 7 && (types.has('array') || types.has('object'));
}

/** The media type range among `types` that takes a type in. */
function rangeOver(type: string, types: Map<string, Place>): Place | undefined {
  return types.get(`${type.split('/')[0]}/*`) ?? types.get('*/*');
}
