/** What a request or a response is made of, besides its schemas: parameters, headers, bodies and statuses. */
import type { Changes, Message } from './changes.ts';
import { type Effect, type Finding, finding } from './finding.ts';
import { describe } from './label.ts';
import { contentOf, headersOf, type Operation, paired, parametersOf } from './operations.ts';
import type { Place } from './place.ts';
import { compareDefault, isSame } from './schema/parts.ts';
import { SchemaComparison } from './schema/schema.ts';
import { canonical, Shape } from './schema/shape.ts';
import { wordless, wordsOf } from './words.ts';

type Thing = 'parameter' | 'header' | 'body';

type Verdict = [rule: string, effect: Effect, words: string];

const FLAGS: { key: string; on: Verdict; off: Verdict }[] = [
  {
    key: 'required',
    on: ['became-required', 'narrower', 'is now required'],
    off: ['became-optional', 'wider', 'is no longer required'],
  },
  {
    key: 'allowEmptyValue',
    on: ['empty-value-allowed', 'wider', 'may now be empty'],
    off: ['empty-value-disallowed', 'narrower', 'may no longer be empty'],
  },
  // Deprecating what clients use is news for them, though nothing breaks (SemVer 2.0.0, 7).
  {
    key: 'deprecated',
    on: ['deprecated', 'compatible', 'is deprecated'],
    off: ['reactivated', 'compatible', 'is no longer deprecated'],
  },
];

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
    for (const [, before, after] of paired(parametersOf(old), parametersOf(now)))
      this.#part('parameter', before, after, message);
  }

  body(old: Place, now: Place, message: Message): void {
    if (old.exists || now.exists)
      this.#part('body', old.exists ? old : undefined, now.exists ? now : undefined, message);
  }

  response(old: Place, now: Place, message: Message): void {
    this.#content(old, now, 'body', message);
    this.#words(old, now, message);
    for (const [, before, after] of paired(headersOf(old), headersOf(now)))
      this.#part('header', before, after, message);
  }

  #part(thing: Thing, old: Place | undefined, now: Place | undefined, message: Message): void {
    const place = (now ?? old) as Place;
    const subject = `${describe(place)}${thing === 'header' ? ` of ${describe(place.parent.parent)}` : ''}`;
    if (old && now) this.#kept(thing, old.follow(), now.follow(), message);
    else if (old) this.#found(message, `${thing}-removed`, 'changed', place, `${subject} was removed.`);
    else {
      const required = isRequired(place.follow());
      const effect: Effect = message.direction === 'response' ? 'compatible' : required ? 'narrower' : 'wider';
      const rules = { parameter: ['-required', ''], body: ['-required', '-optional'], header: ['', ''] };
      const rule = `${thing}-added${rules[thing][required ? 0 : 1]}`;
      this.#found(message, rule, effect, place, `${subject} was added${required ? ', required' : ''}.`);
    }
  }

  #kept(thing: Thing, old: Place, now: Place, message: Message): void {
    for (const { key, on, off } of FLAGS) {
      const isOn = now.value[key] === true;
      if ((old.value[key] === true) === isOn) continue;
      const [rule, effect, words] = isOn ? on : off;
      const place = now.at(key).exists ? now.at(key) : now;
      this.#found(message, `${thing}-${rule}`, effect, place, `${describe(now)} ${words}.`);
    }
    if (thing !== 'body') this.#serialization(thing, old, now, message);
    const isDocument = [old, now].map((part) => part.at('content').exists);
    if (isDocument.every(Boolean)) this.#content(old, now, thing, message);
    else if (!isDocument.some(Boolean)) this.#schema(old, now, isRequired(old) && isRequired(now), message);
    this.#words(old, now, message);
  }

  #serialization(thing: Thing, old: Place, now: Place, message: Message): void {
    const hasParts = mayHaveParts(old) || mayHaveParts(now);
    const [before, after] = [serialization(old, hasParts), serialization(now, hasParts)];
    const text = `${describe(now)} is written another way: ${after}; it was ${before}.`;
    if (before !== after) this.#found(message, `${thing}-serialization-changed`, 'changed', now, text);
  }

  /** @param needed - whether what the schema is for must be there, and so has no use for a default */
  #schema(old: Place, now: Place, needed: boolean, message: Message): void {
    const [base, head] = [schemaOf(old), schemaOf(now)];
    const schemas = this.#schemas[message.direction];
    for (const one of schemas.findings(base, head)) this.#changes.found(one, message);
    for (const one of compareDefault(schemas, new Shape(base), new Shape(head), needed))
      this.#changes.found(one, message);
  }

  #content(old: Place, now: Place, thing: string, message: Message): void {
    const [before, after] = [contentOf(old), contentOf(now)];
    const receives = message.direction === 'response';
    for (const [type, place, exact] of paired(before, after)) {
      const other = exact ?? (receives ? undefined : rangeOver(type, after));
      if (place && other) {
        this.#schema(place, other, true, message);
        this.#encoding(place.at('encoding'), other.at('encoding'), thing, message);
        this.#words(place, other, message);
      } else if (place) {
        const text = `${describe(old)} no longer has the content type \`${type}\`.`;
        this.#found(message, `${thing}-media-type-removed`, receives ? 'changed' : 'narrower', place, text);
      } else if (other && !rangeOver(type, before)) {
        const text = `${describe(now)} also has the content type \`${type}\`.`;
        this.#found(message, `${thing}-media-type-added`, receives ? 'compatible' : 'wider', other, text);
      }
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
